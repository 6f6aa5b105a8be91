import { AppError } from '../../platform/errors.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { writeArchive } from '../kit/frame-images.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { TaskData } from '../kit/task-data.ts';
import { createBoxRows } from '../kit/yolo-family/box-export.ts';
import { boxPoints, readBoxRow } from '../kit/yolo-family/box-row.ts';
import { folderOf, isImagePath, joinPath, pathParts, resolvePath } from '../kit/yolo-family/dataset-paths.ts';
import { type LabelLayout, writeLabelArchive } from '../kit/yolo-family/label-archive.ts';
import { importLabels, type LabelItem, type RowReader } from '../kit/yolo-family/label-import.ts';

const format = 'YOLO 1.1';
const reservedKeys = new Set(['classes', 'names', 'backup']);
const maxListBytes = 256 * 1024 * 1024;

function findDescription(source: Source): string {
  const found = source.entries
    .map(({ path }) => path)
    .filter((path) => /(^|\/)obj\.data$/.test(path) && !isSystemFile(path))
    .toSorted((a, b) => pathParts(a).length - pathParts(b).length);
  const [first] = found;
  if (first !== undefined) return first;
  throw new AppError(
    'invalid',
    `${source.name} is not a ${format} dataset: it has no file named obj.data. Nothing was imported.`,
  );
}

function readDescription(lines: readonly string[], file: string, report: FormatReport): Map<string, string> {
  const values = new Map<string, string>();
  lines.forEach((line, index) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return;
    const equals = text.indexOf('=');
    if (equals > 0) values.set(text.slice(0, equals).trim(), text.slice(equals + 1).trim());
    else report.invalid(file, `line ${index + 1}`, 'a line of this file must be "key = value"');
  });
  return values;
}

async function readClassNames(source: Source, root: string, stated: string): Promise<Map<number, string>> {
  const path = resolvePath(stated, [root, ''], (candidate) => source.has(candidate), 1);
  if (path === undefined) {
    throw new AppError(
      'invalid',
      `${source.name} has no file of class names, which is "${stated}" in obj.data. Nothing was imported.`,
    );
  }
  const names = splitLines(await source.read(path, maxListBytes)).map((name) => name.trim());
  while (names.at(-1) === '') names.pop();
  return new Map(names.entries());
}

/** Image name in its subset's folder: `a/1.jpg` for `data/obj_train_data/a/1.jpg`. */
function nameInSubset(image: string, subset: string): string {
  const parts = pathParts(image);
  const folder = parts.lastIndexOf(`obj_${subset}_data`);
  const start = folder >= 0 ? folder + 1 : parts[0] === 'data' ? 1 : 0;
  return parts.slice(start).join('/');
}

function itemOf(source: Source, root: string, subset: string, image: string): LabelItem {
  const labelPath = resolvePath(`${withoutExtension(image.trim().replaceAll('\\', '/'))}.txt`, [root], (path) =>
    source.has(path),
  );
  return { image, names: [nameInSubset(image, subset), pathParts(image).join('/')], subset, labelPath };
}

/** Label files of a subset without a list: all files in its folder. */
function itemsOfFolder(source: Source, root: string, subset: string): LabelItem[] {
  const folder = `${joinPath(root, `obj_${subset}_data`)}/`;
  return source.entries
    .filter(({ path }) => path.startsWith(folder) && path.endsWith('.txt'))
    .map(({ path }) => {
      const stem = withoutExtension(path.slice(folder.length));
      // The extension prevents a name of digits from being read as a frame number. Any image extension matches.
      return { image: stem, names: [`${stem}.jpg`], subset, labelPath: path };
    });
}

async function readItems(
  source: Source,
  root: string,
  subset: string,
  stated: string,
  report: FormatReport,
): Promise<LabelItem[]> {
  const list = resolvePath(stated, [root], (path) => source.has(path), 1);
  if (list !== undefined) {
    const images = splitLines(await source.read(list, maxListBytes)).map((line) => line.trim());
    return images.filter((image) => image !== '').map((image) => itemOf(source, root, subset, image));
  }
  const items = itemsOfFolder(source, root, subset);
  if (items.length > 0)
    report.warn(`The list ${stated} of subset ${subset} is missing: all label files of its folder were read.`);
  else report.warn(`obj.data names ${stated} for "${subset}", which is not in the dataset.`);
  return items;
}

function noteLeftOver(source: Source, items: readonly LabelItem[], report: FormatReport): void {
  const read = new Set(items.map(({ labelPath }) => labelPath));
  const left = source.entries.filter(
    ({ path }) => /(^|\/)obj_[^/]*_data\/.*\.txt$/.test(path) && !isSystemFile(path) && !read.has(path),
  );
  if (left.length > 0)
    report.warn(
      `${left.length} label files belong to no image of a list and were left out, the first is ${left[0]?.path ?? ''}.`,
    );
  const without = items.filter(({ labelPath }) => labelPath === undefined);
  if (without.length > 0)
    report.warn(
      `${without.length} images have no label file and so no objects, the first is ${without[0]?.image ?? ''}.`,
    );
}

const readRow: RowReader = (fields, size) => {
  // Detectors write their confidence after the box; 1 may be written as an integer.
  const row = readBoxRow(fields);
  if (typeof row === 'string') return row;
  const { classIndex, trackId, score = trackId } = row;
  if (score !== undefined && score > 1) return `${score} after the box is not a confidence from 0 to 1`;
  const stated = score === undefined || score === 1 ? {} : { score };
  return { classIndex, shape: { type: 'rectangle', points: boxPoints(row, size), ...stated } };
};

/** Imports a darknet dataset: `obj.data`, class names, image lists, and a label file beside each image. */
const importYolo: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const description = findDescription(source);
  const root = folderOf(description);
  const values = readDescription(splitLines(await source.read(description)), description, report);
  const classNames = await readClassNames(source, root, values.get('names') ?? 'data/obj.names');
  const stated = values.get('classes');
  if (stated !== undefined && Number(stated) !== classNames.size) {
    report.warn(`obj.data states ${stated} classes, but the names file has ${classNames.size}: the names were used.`);
  }
  const items: LabelItem[] = [];
  for (const [key, value] of values) {
    if (reservedKeys.has(key)) continue;
    for (const item of await readItems(source, root, key, value, report)) items.push(item);
  }
  if (!items.some(({ image, labelPath }) => labelPath !== undefined || isImagePath(image))) {
    report.warn(`${source.name} lists no images: nothing was imported.`);
  }
  noteLeftOver(source, items, report);
  await importLabels(source, task_data, options, { classNames, items, readRow });
};

const detectYolo = amongFiles((source) => {
  const paths = source.entries.map(({ path }) => path).filter((path) => isWithinReach(path) && !isSystemFile(path));
  const description = paths.find((path) => /(^|\/)obj\.data$/.test(path));
  if (description === undefined) return null;
  const hasNames = paths.some((path) => path.endsWith('.names'));
  const reason = `It has the description file ${description} of a darknet dataset.`;
  return { reason, confidence: hasNames ? 1 : 0.8 };
});

/**
 * Paths in lists have the prefix `data/` although the files are at the top of the archive: darknet runs beside a folder
 * `data`.
 */
const layout: LabelLayout = {
  format: 'YOLO 1.1',
  reservedSubsets: new Set(['classes', 'names', 'backup']),
  labelPath: (subset, stem) => `obj_${subset}_data/${stem}.txt`,
  imagePath: (subset, name) => `obj_${subset}_data/${name}`,
  listLine: (subset, name) => `data/obj_${subset}_data/${name}`,
  writesEmptyLabels: true,
};

/** Class names by class number: labels without a parent in the task's order, one per line. */
function classNames(task_data: TaskData, report: FormatReport): string[] {
  return task_data.meta.labels.map(({ name }) => {
    const oneLine = name.replaceAll(/[\r\n]+/g, ' ').trim();
    if (oneLine !== name)
      report.warn(
        `The label ${JSON.stringify(name)} is written as "${oneLine}": the file has one name per line, without spaces around it.`,
      );
    return oneLine;
  });
}

/** Exports boxes as a darknet dataset. Class numbers and the names file count the labels without a parent. */
const exportYolo: Exporter = async (file_object, task_data, options) => {
  const names = classNames(task_data, options.report);
  await writeArchive(file_object.path, async (zip) => {
    const rowsOf = createBoxRows(task_data, options.report, { format: layout.format, trackIds: false });
    const subsets = await writeLabelArchive(zip, task_data, options, layout, rowsOf);
    await zip.add('obj.names', names.map((name) => `${name}\n`).join(''));
    const lists = subsets.map((subset) => `${subset} = data/${subset}.txt\n`).join('');
    await zip.add('obj.data', `classes = ${names.length}\n${lists}names = data/obj.names\nbackup = backup/\n`);
  });
};

export const yolo = defineFormat({
  name: 'YOLO',
  version: '1.1',
  statesShares: true,
  support: { rectangle: 'both', track: 'converted' },
  detect: detectYolo,
  read: importYolo,
  write: exportYolo,
});
