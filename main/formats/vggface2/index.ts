import { createUnreadMembers } from '../kit/unread-members.ts';
import { csvRow, readCsvRecords } from '../io/csv-rows.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import type { SpillFiles } from '../io/spill-files.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { boxExtent, boxFromExtent } from '../kit/box-extent.ts';
import { createCarrier, createLossNotes, repeatedTag } from '../kit/dropped-details.ts';
import { pauseBetween, readDatasetFiles, someOf } from '../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { type ArchiveItem, writeItemArchive } from '../kit/item-archive.ts';
import {
  createLabelledFrames,
  createNameClaims,
  inLabelFolder,
  labelFolderProblem,
  nameIsTaken,
  noLabel,
} from '../kit/label-folders.ts';
import type { Exporter } from '../kit/plugin.ts';
import { readNumber } from '../kit/short-decimals.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';

const format = 'VGGFace2';
const boxColumns = ['X', 'Y', 'W', 'H'];
const landmarkColumns = [1, 2, 3, 4, 5].flatMap((number) => [`P${number}X`, `P${number}Y`]);
const nameColumn = 'NAME_ID';

interface VggFile {
  readonly path: string;
  readonly kind: 'boxes' | 'landmarks';
  readonly subset: string;
  /** Folder of the dataset with a trailing slash, or ''. */
  readonly root: string;
}

/** `bb_landmark/loose_bb_<subset>.csv` and `loose_landmark_<subset>.csv` at any depth. */
function findVggFiles(source: Source): VggFile[] {
  return source.entries.flatMap(({ path }): VggFile[] => {
    const match = /^(.*\/)?bb_landmark\/loose_(bb|landmark)_([^/]+)\.csv$/.exec(path);
    if (!match || isSystemFile(path)) return [];
    const [, root = '', kind, subset = ''] = match;
    return [{ path, root, subset, kind: kind === 'bb' ? 'boxes' : 'landmarks' }];
  });
}

/** Reads VGGFace2: per image the box and the five landmarks of its face, or only its label. */
const importVggFace2: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const frameOf = createLabelledFrames(task_data);
  const listed = new Map<string, ReadonlyMap<string, string>>();
  const isLabel = (name: string): boolean => task_data.label(name) !== undefined;

  /** Names of the list by label of the rows: `n000001 Karl`. */
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

  const noteUnread = createUnreadMembers(report, new Set([nameColumn, ...boxColumns, ...landmarkColumns]));

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
      const bad = (reason: string): void => report.invalid(path, at, reason);
      const name = (record.get(nameColumn) ?? '').trim().replaceAll('\\', '/');
      if (name === '') return bad(`the row has no ${nameColumn}`);
      const texts = columns.map((column) => record.get(column)?.trim() ?? '');
      const isEmpty = texts.every((text) => text === '');
      const slash = name.indexOf('/');
      const folder = slash < 0 ? noLabel : name.slice(0, slash);
      if (isEmpty && (folder === noLabel || kind === 'boxes')) return undefined;
      if (folder === noLabel) return bad('the row has no label');
      const rest = name.slice(slash + 1);
      const frame = frameOf(folder, isImagePath(rest) ? rest : `${rest}.jpg`, subset, path);
      if (!frame) return bad(`image "${name.slice(0, 200)}" is not in the task: its object was left out`);
      const shown = labels.get(folder) ?? '';
      const label = !isLabel(folder) && isLabel(shown) ? shown : folder;
      noteUnread(Object.fromEntries(record), label);
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

    const stated = await readCsvRecords(source.stream(path), takeRecord, {
      between: pauseBetween(task_data, options),
      onBad: (line, reason) => report.invalid(path, `line ${line}`, reason),
    });
    const missing = stated.length === 0 ? [] : [nameColumn, ...columns].filter((column) => !stated.includes(column));
    if (missing.length > 0) report.invalid(path, 'line 1', `the file has no columns ${missing.join(', ')}`);
  };

  await readDatasetFiles<VggFile>(source, task_data, options, {
    format,
    needs: 'files such as bb_landmark/loose_bb_train.csv',
    find: () => someOf(findVggFiles(source)),
    read: readFile,
  });
};

/** Detects files of boxes or landmarks in a folder `bb_landmark`. */
const detectVggFace2 = amongFiles((source) => {
  const path = findVggFiles(source).find((file) => isWithinReach(file.path))?.path;
  return path === undefined ? null : { reason: `${path} has a file name of VGGFace2.`, confidence: 0.95 };
});

const landmarkNumbers = 10;

/** Adds a row to a file, which starts with the column names. */
function addRow(
  spill: SpillFiles,
  opened: Set<string>,
  path: string,
  columns: readonly string[],
  row: readonly (string | number)[],
): void {
  const out = spill.open(path);
  if (!opened.has(path)) out.text(csvRow([nameColumn, ...columns]));
  opened.add(path);
  out.text(csvRow(row));
}

function problemOf({ type, points, label }: LabeledShape, included: readonly LabeledShape[]): string | undefined {
  if (type !== 'rectangle' && type !== 'points') return `${format} has boxes, and points of five landmarks.`;
  if (type === 'points' && points.length !== landmarkNumbers)
    return `${format} needs five landmarks of a face: this has ${points.length / 2} points.`;
  if (!points.every(Number.isFinite)) return 'Its coordinates are not finite numbers.';
  if (included.some((other) => other.type === type && other.label === label))
    return `${format} has one ${type === 'points' ? 'set of landmarks' : 'box'} per label and image.`;
  return labelFolderProblem(label, format);
}

/** Writes VGGFace2: per image and label a box, five landmarks, or an empty row for the label alone. */
const exportVggFace2: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, {});
  notes.tracks(task_data);
  const opened = new Set<string>();
  const blank = landmarkColumns.map(() => '');
  const claim = createNameClaims();

  const nameOf = (label: string, { stem }: ArchiveItem): string => inLabelFolder(label, stem);
  const takenProblem = (label: string, item: ArchiveItem): string | undefined =>
    claim(`${item.subset}/${nameOf(label, item)}`, item.frame) ? undefined : nameIsTaken;

  const carrier = createCarrier(report, notes);

  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem(item, { spill }) {
      const { frame, subset, image } = item;
      const shapes = carrier.shapes(
        frame.labeled_shapes,
        (shape, included) => problemOf(shape, included) ?? takenProblem(shape.label, item),
      );
      const tags = carrier
        .tags(
          frame.tags,
          (tag, included) =>
            repeatedTag(tag, included) ?? labelFolderProblem(tag.label, format) ?? takenProblem(tag.label, item),
        )
        .map(({ label }) => label);
      const landmarks = `bb_landmark/loose_landmark_${subset}.csv`;
      // Rows for labels must precede those with landmarks, because other readers require this order.
      for (const label of tags) addRow(spill, opened, landmarks, landmarkColumns, [nameOf(label, item), ...blank]);
      for (const { type, label, points } of shapes) {
        if (type === 'points') addRow(spill, opened, landmarks, landmarkColumns, [nameOf(label, item), ...points]);
        else
          addRow(spill, opened, `bb_landmark/loose_bb_${subset}.csv`, boxColumns, [
            nameOf(label, item),
            ...boxExtent(points),
          ]);
      }
      const labels = new Set([...tags, ...shapes.map(({ label }) => label)]);
      if (labels.size === 0) addRow(spill, opened, landmarks, landmarkColumns, [nameOf(noLabel, item), ...blank]);
      return (labels.size > 0 ? [...labels] : [noLabel]).map((label) => `${subset}/${inLabelFolder(label, image)}`);
    },
    async finish({ text }, subsets) {
      // Readers expect a landmark file for each subset, even if it is empty.
      for (const subset of subsets) {
        const path = `bb_landmark/loose_landmark_${subset}.csv`;
        if (!opened.has(path)) await text(path, csvRow([nameColumn, ...landmarkColumns]));
      }
      const names = task_data.meta.labels.map(({ name }) => name);
      const writable = names.filter((name) => labelFolderProblem(name, format) === undefined);
      await text('labels.txt', writable.map((name) => `${name}\n`).join(''));
    },
  });
};

export const vggFace2 = defineFormat({
  name: 'VGGFace2',
  version: '1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'converted', points: 'both', tag: 'both', track: 'converted' },
  detect: detectVggFace2,
  read: importVggFace2,
  write: exportVggFace2,
});
