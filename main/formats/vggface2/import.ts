import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { boxFromExtent } from '../kit/box-extent.ts';
import { pauseBetween, readDatasetFiles, someOf } from '../kit/dataset-files.ts';
import { readCsvRecords } from '../io/csv-rows.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createLabelledFrames, noLabel } from '../kit/label-folders.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { readNumber } from '../kit/yolo-family/box-row.ts';
import { type VggFile, boxColumns, findVggFiles, format, landmarkColumns, nameColumn } from './files.ts';
import { amongFiles, isWithinReach } from '../kit/detection.ts';

/** VGGFace2: for each image the box and the five landmarks of its face, or its label alone. */
export const importVggFace2: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const frameOf = createLabelledFrames(task_data);
  const listed = new Map<string, ReadonlyMap<string, string>>();
  const isLabel = (name: string): boolean => task_data.label(name) !== undefined;

  /** The name that the list gives to a label of the rows: `n000001 Karl`. */
  const readLabels = async (source: Source, root: string): Promise<ReadonlyMap<string, string>> => {
    const path = `${root}labels.txt`;
    const lines = source.has(path) ? splitLines(await source.read(path)) : [];
    const names = new Map<string, string>();
    for (const line of lines) {
      const [name = '', ...shown] = line.trim().split(/\s+/);
      if (name !== '' && shown.length === 0) task_data.declare_label?.({ name });
      names.set(name, shown.join(' '));
    }
    return names;
  };

  const shapeOf = (
    kind: VggFile['kind'],
    values: readonly number[],
  ): Pick<LabeledShape, 'type' | 'points'> | string => {
    if (kind === 'landmarks') return { type: 'points', points: values };
    const points = boxFromExtent(values);
    return typeof points === 'string' ? points : { type: 'rectangle', points };
  };

  const readFile = async ({ path, kind, subset, root }: VggFile): Promise<void> => {
    const labels = listed.get(root) ?? (await readLabels(source, root));
    listed.set(root, labels);
    const add = createAnnotationAdder(task_data, report, path);
    const columns = kind === 'boxes' ? boxColumns : landmarkColumns;

    const takeRecord = (record: ReadonlyMap<string, string>, line: number): void => {
      const at = `line ${line}`;
      const bad = (reason: string): void => report.bad(path, at, reason);
      const name = (record.get(nameColumn) ?? '').trim().replaceAll('\\', '/');
      if (name === '') return bad(`the row has no ${nameColumn}`);
      const texts = columns.map((column) => record.get(column)?.trim() ?? '');
      const isEmpty = texts.every((text) => text === '');
      const slash = name.indexOf('/');
      const folder = slash < 0 ? noLabel : name.slice(0, slash);
      if (isEmpty && (folder === noLabel || kind === 'boxes')) return undefined;
      if (folder === noLabel) return bad('the row names no label');
      const rest = name.slice(slash + 1);
      const frame = frameOf(folder, isImagePath(rest) ? rest : `${rest}.jpg`, subset);
      if (!frame) return bad(`image "${name.slice(0, 200)}" is not in the task: its object was left out`);
      const shown = labels.get(folder) ?? '';
      const label = !isLabel(folder) && isLabel(shown) ? shown : folder;
      if (isEmpty) return add.tag({ frame: frame.frame, label, attributes: [], group: 0, source: 'file' }, at);
      const values = texts.map(readNumber);
      const wrong = values.findIndex(Number.isNaN);
      if (wrong >= 0) return bad(`${columns[wrong]} is not a number`);
      const shape = shapeOf(kind, values);
      if (typeof shape === 'string') return bad(shape);
      return add.shape(
        plainShape({
          ...shape,
          frame: frame.frame,
          label,
        }),
        at,
      );
    };

    const stated = await readCsvRecords(source.stream(path), takeRecord, { between: pauseBetween(task_data, options) });
    const missing = stated.length === 0 ? [] : [nameColumn, ...columns].filter((column) => !stated.includes(column));
    if (missing.length > 0) report.bad(path, 'line 1', `the file has no columns ${missing.join(', ')}`);
  };

  await readDatasetFiles<VggFile>({
    source,
    task_data,
    options,
    format,
    needs: 'files such as bb_landmark/loose_bb_train.csv',
    find: () => someOf(findVggFiles(source)),
    read: readFile,
  });
};

/** Files of boxes or landmarks in a folder bb_landmark. */
export const detectVggFace2 = amongFiles((source) => {
  const path = findVggFiles(source).find((file) => isWithinReach(file.path))?.path;
  return path === undefined ? null : { reason: `${path} is called as a file of VGGFace2.`, confidence: 0.95 };
});
