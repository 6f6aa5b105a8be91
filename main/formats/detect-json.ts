import { topLevelKeys } from './detect-coco.ts';
import { type FormatCandidate, isWithinReach, readHead } from './kit/detection.ts';
import { isSystemFile, type Source } from './io/source.ts';

const maxFiles = 20;

const labelMe = 'labelme JSON 1.0';
const xAnyLabeling = 'X-AnyLabeling JSON 1.0';

/** The beginning of a document: its text, whether it is a list, and the keys of it or of the list's first objects. */
interface JsonHead {
  readonly text: string;
  readonly isList: boolean;
  readonly has: (key: string) => boolean;
}

function headOf(text: string): JsonHead {
  const trimmed = text.trimStart();
  const isList = trimmed.startsWith('[');
  const keys = new Set(topLevelKeys(isList ? trimmed.slice(1) : trimmed));
  return { text, isList, has: (key) => keys.has(key) };
}

/** A format, what speaks for it, and how much. */
type Sign = readonly [name: string, what: string, confidence: number];

function signsOfShapes({ text, has }: JsonHead): Sign[] {
  if (!has('shapes') || !(has('version') || has('imagePath') || has('imageData') || has('flags'))) return [];
  const isRelative = /"(kie_linking|difficult|chat_history|vqaData|checked)"\s*:/.test(text);
  const what = 'JSON about one image with a list "shapes"';
  return isRelative
    ? [
        [xAnyLabeling, `${what} and members that X-AnyLabeling adds`, 0.95],
        [labelMe, `${what}, as labelme writes it`, 0.7],
      ]
    : [
        [labelMe, what, 0.95],
        [xAnyLabeling, `${what}, as X-AnyLabeling writes it too`, 0.5],
      ];
}

function signsOfList({ text, has }: JsonHead): Sign[] {
  if (has('data') && (has('annotations') || has('predictions') || has('completions')))
    return [['Label Studio JSON 1.0', 'a JSON list of tasks with data and annotations', 0.95]];
  if (
    /"(rectangle|polygon|ellipse|keypoint|brush)labels"\s*:/.test(text) &&
    (has('annotator') || has('annotation_id') || has('id'))
  )
    return [['Label Studio JSON 1.0', 'a flattened JSON list of tasks with their regions', 0.9]];
  if (!has('image') && !has('imagefilename') && !has('filename')) return [];
  if (!has('annotations') && !has('annotation')) return [];
  const hasBoxes = /"coordinates"\s*:/.test(text);
  return [['CreateML 1.0', `a JSON list of images with ${hasBoxes ? 'boxes' : 'annotations'}`, hasBoxes ? 0.95 : 0.6]];
}

function signsOfObject(head: JsonHead): Sign[] {
  const { text, has } = head;
  if (has('assets') && (has('tags') || /"regions"\s*:/.test(text)))
    return [['VoTT JSON 1.0', 'JSON with assets and their regions', 0.95]];
  if (has('asset') && has('regions')) return [['VoTT JSON 1.0', 'JSON about one asset and its regions', 0.95]];
  if (has('image') && has('annotations')) {
    const isSure = /"(predicted_iou|stability_score|crop_box)"\s*:/.test(text);
    return [['SA-1B JSON 1.0', 'JSON about one image and its masks', isSure ? 0.95 : 0.6]];
  }
  return signsOfShapes(head);
}

/** JSON of programs other than those of the COCO family, bare or in an archive. */
export async function detectJson(source: Source): Promise<FormatCandidate[]> {
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => source.kind === 'file' || (/\.json$/i.test(path) && isWithinReach(path) && !isSystemFile(path)));
  const best = new Map<string, FormatCandidate>();
  for (const path of paths.slice(0, maxFiles)) {
    const head = headOf(await readHead(source, path));
    for (const [name, what, confidence] of head.isList ? signsOfList(head) : signsOfObject(head)) {
      if (confidence > (best.get(name)?.confidence ?? 0))
        best.set(name, { name, reason: `${path} is ${what}.`, confidence });
    }
  }
  return [...best.values()];
}
