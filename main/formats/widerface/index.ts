import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { boxFromExtent } from '../kit/box-extent.ts';
import { labelOfAll, readDatasetFiles, readRows, someOf } from '../kit/dataset-files.ts';
import { carries, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { notInTask } from '../kit/find-frame.ts';
import { createLabelledFrames, noLabel } from '../kit/label-folders.ts';
import type { Attribute, FrameInfo, LabelInfo } from '../kit/task-data.ts';
import { exportWiderFace } from './export.ts';
import {
  columns,
  faceLabel,
  findWiderFiles,
  format,
  isImageLine,
  labelOfFolder,
  readWiderRow,
  unknownValue,
  type WiderFile,
  type WiderRow,
} from './files.ts';

/** Attributes for values, if the label has them or their value is not the default. */
function attributesOf({ values }: WiderRow, label: LabelInfo | undefined): Attribute[] {
  return columns.flatMap((name, index): Attribute[] => {
    const stated = values?.[index] ?? unknownValue;
    if (stated === unknownValue) return [];
    const known = label?.attributes.find((attribute) => attribute.name === name);
    const isSet = stated !== '0' && stated.toLowerCase() !== 'false';
    // The occluded flag of shapes is used unless the label has an attribute of that name.
    if (!known && (name === 'occluded' || !isSet)) return [];
    return [{ name, value: known?.input_type === 'checkbox' ? String(isSet) : stated }];
  });
}

function isOccluded({ values }: WiderRow): boolean {
  const value = (values?.[columns.indexOf('occluded')] ?? unknownValue).toLowerCase();
  return value === 'true' || value === 'yes' || Number(value) > 0;
}

/** An image of the list: its frame, and the rows still expected. */
interface OpenImage {
  readonly name: string;
  readonly line: number;
  readonly frame: FrameInfo | undefined;
  /** Number of rows stated by the file; undefined until it is read. */
  expected: number | undefined;
  rows: number;
}

/** Reads WiderFace: face boxes by image name, with the images' folders as image labels. */
const importWiderFace: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const frameOf = createLabelledFrames(task_data);
  const listed = new Map<string, ReadonlySet<string>>();
  let face: string | undefined;

  const readLabels = async (source: Source, root: string): Promise<ReadonlySet<string>> => {
    const path = `${root}labels.txt`;
    const lines = source.has(path) ? splitLines(await source.read(path)) : [];
    const names = lines.map((line) => line.trim()).filter((name) => name !== '');
    for (const name of names) task_data.declare_label?.({ name });
    return new Set(names);
  };

  const readFile = async ({ path, subset, root }: WiderFile): Promise<void> => {
    const labels = listed.get(root) ?? (await readLabels(source, root));
    listed.set(root, labels);
    const add = createAnnotationAdder(task_data, report, path);
    let image: OpenImage | undefined;

    const close = (): void => {
      if (!image) return;
      const { name, line, frame, expected = 0, rows } = image;
      if (!frame && rows > 0) report.invalid(path, `line ${line}`, notInTask(name.slice(0, 200), rows));
      if (rows < expected)
        report.invalid(path, `line ${line}`, `the file states ${expected} rows for the image, but has ${rows}`);
    };

    const addImageLabel = (frame: FrameInfo, label: string, line: number): void => {
      const isLabel = labels.has(label) || task_data.label(label) !== undefined;
      // Folders of the published dataset are event types; few tasks have labels for them.
      if (!isLabel && labels.size === 0) task_data.declare_label?.({ name: label });
      if (!isLabel && task_data.meta.labels.length > 0)
        report.dropped('tag', label, 'The image is in a folder of this name, but the task has no such label.');
      else add.tag({ frame: frame.frame, label, attributes: [], group: 0, source: 'file' }, `line ${line}`);
    };

    const openImage = (text: string, line: number): void => {
      close();
      const name = text
        .trim()
        .replaceAll('\\', '/')
        .replace(/^(\.?\/)+/, '');
      const slash = name.indexOf('/');
      const folder = slash < 0 ? '' : name.slice(0, slash);
      const frame = frameOf(folder, name.slice(slash + 1), subset, path);
      image = { name, line, frame, expected: undefined, rows: 0 };
      const label = labelOfFolder(folder);
      if (!frame && label !== '' && label !== noLabel && labels.has(label))
        report.invalid(
          path,
          `line ${line}`,
          `image "${name.slice(0, 200)}" is not in the task: its label was left out`,
        );
      if (frame && label !== '' && label !== noLabel) addImageLabel(frame, label, line);
    };

    const addRow = (open: OpenImage, text: string, line: number): void => {
      const at = `line ${line}`;
      const row = readWiderRow(text);
      if (typeof row === 'string') return report.invalid(path, at, row);
      open.rows += 1;
      const { frame } = open;
      if (!frame) return undefined;
      const points = boxFromExtent(row.box);
      if (typeof points === 'string') return report.invalid(path, at, points);
      const label = row.label ?? (face ??= labelOfAll(task_data, faceLabel, options));
      return add.shape(
        plainShape({
          type: 'rectangle',
          frame: frame.frame,
          label,
          points,
          occluded: isOccluded(row),
          attributes: attributesOf(row, task_data.label(label)),
        }),
        at,
      );
    };

    const takeLine = (text: string, line: number): void => {
      if (text.trim() === '') return undefined;
      if (isImageLine(text.trim())) return openImage(text, line);
      if (!image) return report.invalid(path, `line ${line}`, 'the file must start with the name of an image');
      const isCount = image.expected === undefined && image.rows === 0 && /^\d{1,9}$/.test(text.trim());
      if (isCount) {
        image.expected = Number(text.trim());
        return undefined;
      }
      // The published dataset has a row of zeros for an image without faces.
      if (image.expected === 0 && /^[\s0]+$/.test(text)) return undefined;
      return addRow(image, text, line);
    };

    await readRows(source, path, { task_data, options }, takeLine);
    close();
  };

  await readDatasetFiles<WiderFile>(source, task_data, options, {
    format,
    needs: 'files such as wider_face_split/wider_face_train_bbx_gt.txt',
    find: () => someOf(findWiderFiles(source)),
    read: readFile,
  });
};

const detectWiderFace = amongFiles((source) => {
  const path = findWiderFiles(source).find((file) => isWithinReach(file.path))?.path;
  return path === undefined ? null : { reason: `${path} is in a folder that only WiderFace has.`, confidence: 0.95 };
});

export const widerFace = defineFormat({
  name: 'WiderFace',
  version: '1.0',
  support: carries({ both: ['rectangle', 'tag'], converted: ['rotated rectangle', 'track'], partial: ['attribute'] }),
  detect: detectWiderFace,
  read: importWiderFace,
  write: exportWiderFace,
});
