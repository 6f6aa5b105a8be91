import type { Source } from '../io/source.ts';
import { defineFormat } from '../kit/define-format.ts';
import { type JsonHead, readJsonHeads } from '../kit/detection.ts';
import type { Detection } from '../kit/plugin.ts';
import { detailMembers, exportLabelMeFiles, type LabelMeDialect, labelMeDialect, labelMeSupport } from './export.ts';
import { labelMeReader } from './import.ts';

const what = 'JSON about one image with a list "shapes"';

function isAboutShapes({ isList, has }: JsonHead): boolean {
  return !isList && has('shapes') && (has('version') || has('imagePath') || has('imageData') || has('flags'));
}

interface Files {
  readonly first: JsonHead | undefined;
  /** First file with members that only X-AnyLabeling writes. */
  readonly ofXAnyLabeling: JsonHead | undefined;
}

async function findFiles(source: Source): Promise<Files> {
  const files = (await readJsonHeads(source)).filter(isAboutShapes);
  // X-AnyLabeling has versions 0 to 4. labelme files with these versions are older than its member "description".
  const ofXAnyLabeling = files.find(
    ({ text, has }) =>
      /"(kie_linking|difficult|chat_history|vqaData|checked)"\s*:/.test(text) ||
      (has('description') && /^\s*\{\s*"version"\s*:\s*"[0-4]\./.test(text)),
  );
  return { first: files[0], ofXAnyLabeling };
}

async function detectLabelMeJson(source: Source): Promise<Detection | null> {
  const { first, ofXAnyLabeling } = await findFiles(source);
  if (!first) return null;
  return ofXAnyLabeling
    ? { reason: `${ofXAnyLabeling.path} is ${what}, as in labelme.`, confidence: 0.7 }
    : { reason: `${first.path} is ${what}.`, confidence: 0.95 };
}

async function detectXAnyLabeling(source: Source): Promise<Detection | null> {
  const { first, ofXAnyLabeling } = await findFiles(source);
  if (!first) return null;
  return ofXAnyLabeling
    ? { reason: `${ofXAnyLabeling.path} is ${what} and members that X-AnyLabeling adds.`, confidence: 0.95 }
    : { reason: `${first.path} is ${what}, as in X-AnyLabeling files too.`, confidence: 0.5 };
}

const format = 'X-AnyLabeling JSON';

/** X-AnyLabeling stores rotated boxes as `rotation`, with the angle in radians. */
function createDialect(): LabelMeDialect {
  return {
    format,
    version: '2.5.0',
    document: { description: '' },
    shape(shape, { shape_type, points, mask }) {
      const { own, members } = detailMembers(shape, ({ name }) => name === 'description' || name === 'difficult');
      const { attributes = {}, score = null, ...others } = members;
      const isTurned = shape_type === 'oriented_rectangle';
      return {
        label: shape.label,
        score,
        points,
        group_id: shape.group === 0 ? null : shape.group,
        description: own.get('description') ?? '',
        difficult: own.get('difficult') === 'true',
        shape_type: isTurned ? 'rotation' : shape_type,
        flags: {},
        attributes,
        kie_linking: [],
        direction: isTurned ? ((shape.rotation ?? 0) * Math.PI) / 180 : undefined,
        mask,
        ...others,
      };
    },
  };
}

/** X-AnyLabeling: labelme's format with attributes, scores and angles of rotated boxes. */
export const xAnyLabeling = defineFormat({
  name: format,
  version: '1.0',
  support: labelMeSupport,
  importExt: 'JSON, ZIP',
  detect: detectXAnyLabeling,
  read: labelMeReader(format),
  write: (file_object, task_data, options) => exportLabelMeFiles(createDialect(), file_object, task_data, options),
});

/** labelme: one JSON file beside each image. labelme preserves unknown members. */
export const labelMeJson = defineFormat({
  name: 'labelme JSON',
  version: '1.0',
  support: labelMeSupport,
  importExt: 'JSON, ZIP',
  detect: detectLabelMeJson,
  read: labelMeReader('labelme JSON'),
  write: (file_object, task_data, options) =>
    exportLabelMeFiles(labelMeDialect(task_data), file_object, task_data, options),
});
