import { AppError } from '../../platform/errors.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { eachFile, pauseBetween } from '../kit/dataset-files.ts';
import { findFrame } from '../kit/find-frame.ts';
import { asImageName } from '../kit/image-files/read-image-files.ts';
import { readCsv, readCsvRecords } from '../io/csv-rows.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { setPixels, tryReadImage } from '../kit/mask-files/read-classes.ts';
import type { MaskImage } from '../kit/mask-files/read-image.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { readScore } from '../kit/read-score.ts';
import { warnOfSharedNames } from '../kit/shared-names.ts';
import { pixelsOf, readNumber } from '../kit/short-decimals.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, FrameInfo, ImageSize, LabelInfo, TaskData } from '../kit/task-data.ts';
import { sharesProblem } from '../kit/units.ts';
import { type OpenImagesFiles, type SubsetFile, findOpenImages, flags } from './files.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import { amongFiles } from '../kit/detection.ts';

const format = 'Open Images';
/** Masks have coordinates of six decimals, boxes may have more. */
const tolerance = 1.5e-6;
const coordinateColumns = ['XMin', 'XMax', 'YMin', 'YMax'];

/** Columns that are read, or that describe how the published rows were created. */
const knownColumns: ReadonlySet<string> = new Set([
  ...coordinateColumns,
  ...coordinateColumns.map((column) => `Box${column}`),
  ...flags.map(({ column }) => column),
  ...'ImageID Source LabelName Confidence IsOccluded MaskPath BoxID PredictedIoU XClick1X XClick2X XClick3X XClick4X'.split(
    ' ',
  ),
  ...'Clicks XClick1Y XClick2Y XClick3Y XClick4Y'.split(' '),
]);

type CsvRecord = ReadonlyMap<string, string>;

interface Reading {
  readonly files: OpenImagesFiles;
  readonly task_data: TaskData;
  readonly options: ImportOptions;
  readonly labelOf: (name: string) => string;
  readonly frameOf: (imageId: string, subset: string, near: string) => FrameInfo | undefined;
  /** Reports columns that are not imported. */
  readonly noteUnread: ReturnType<typeof createUnreadMembers>;
  readonly sizeOf: (imageId: string, frame: FrameInfo) => ImageSize;
}

/** Class ids of rows with their display names. */
async function readClasses(
  { source, classes }: OpenImagesFiles,
  report: FormatReport,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (!classes) return names;
  let isFirst = true;
  await readCsv(source.stream(classes.path), (row, line) => {
    const [name = '', shown = ''] = row;
    const isHeader = isFirst && (classes.hasHeader || name === 'LabelName');
    isFirst = false;
    if (isHeader || name === '') return;
    // The rest of a name with an unquoted comma would be lost, and two classes could become one.
    const isCut = row.slice(2).some((field) => field.trim() !== '');
    if (isCut)
      report.invalid(
        classes.path,
        `line ${line}`,
        `the row has ${row.length} fields for 2 columns: write "quotes" around a name with a comma`,
      );
    else names.set(name, shown.trim() === '' ? name : shown);
  });
  warnOfSharedNames(report, classes.path, names);
  return names;
}

/** Sizes stated by the dataset: `name height width` per line. */
async function readSizes({ source, sizes }: OpenImagesFiles): Promise<Map<string, ImageSize>> {
  const found = new Map<string, ImageSize>();
  if (sizes === undefined) return found;
  for (const line of splitLines(await source.read(sizes))) {
    const match = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))\s+(\d{1,9})\s+(\d{1,9})\s*$/.exec(line);
    if (!match || line.trimStart().startsWith('#')) continue;
    const name = match[1]?.replaceAll(/\\(.)/g, '$1') ?? match[2] ?? '';
    found.set(name, { height: Number(match[3]), width: Number(match[4]) });
  }
  return found;
}

/** The class id if the task has a label of that name, else the display name. */
function createLabelNames(classes: ReadonlyMap<string, string>, task_data: TaskData): (name: string) => string {
  return (name) => {
    const shown = classes.get(name) ?? name;
    return task_data.label(name) ? name : shown;
  };
}

function createFrames(task_data: TaskData): Reading['frameOf'] {
  // Caches the last frame: rows of one image are usually consecutive.
  let last: { readonly key: string; readonly frame: FrameInfo | undefined } | undefined;
  return (imageId, subset, near) => {
    const key = `${subset}\u0000${imageId}`;
    if (last?.key !== key) last = { key, frame: findFrame(task_data, [asImageName(imageId)], subset, near) };
    return last.frame;
  };
}

function fractionOf(record: CsvRecord, column: string): number {
  return readNumber(record.get(column)?.trim());
}

interface MaskBox {
  readonly label: string;
  readonly fractions: readonly number[];
  group: number;
}

/** Boxes that masks refer to, by image. Mask and box become a group. */
async function readMaskBoxes({ files, options }: Reading): Promise<Map<string, MaskBox[]>> {
  const boxes = new Map<string, MaskBox[]>();
  for (const { path } of files.masks) {
    options.signal.throwIfAborted();
    const take = (record: CsvRecord): void => {
      const fractions = coordinateColumns.map((column) => fractionOf(record, `Box${column}`));
      if (fractions.some(Number.isNaN)) return;
      const imageId = record.get('ImageID') ?? '';
      const list = boxes.get(imageId) ?? [];
      boxes.set(imageId, list);
      list.push({ label: record.get('LabelName') ?? '', fractions, group: 0 });
    };
    // Invalid rows are reported when the masks are read.
    await readCsvRecords(files.source.stream(path), take, { onBad: () => undefined });
  }
  return boxes;
}

function findBox(
  boxes: readonly MaskBox[] | undefined,
  label: string,
  fractions: readonly number[],
): MaskBox | undefined {
  return boxes?.find(
    (box) =>
      box.label === label &&
      box.fractions.every((value, index) => Math.abs(value - (fractions[index] ?? 0)) <= tolerance),
  );
}

/** A flag of 0 or 1; undefined for -1, which means unknown. Other values are passed to `lose` as a rule. */
function flagValue(record: CsvRecord, column: string, lose: (rule: string) => void): '0' | '1' | undefined {
  const value = record.get(column)?.trim() ?? '';
  if (value === '0' || value === '1') return value;
  if (value !== '' && value !== '-1') lose(`The value of "${column}" is neither true nor false.`);
  return undefined;
}

function flagAttributes(record: CsvRecord, label: LabelInfo | undefined, lose: (rule: string) => void): Attribute[] {
  return flags.flatMap(({ column, attribute }) => {
    const value = flagValue(record, column, lose);
    if (value === undefined) return [];
    const isKnown = label ? label.attributes.some(({ name }) => name === attribute) : false;
    return isKnown || value === '1' ? [{ name: attribute, value: String(value === '1') }] : [];
  });
}

const reportLine =
  (path: string, report: FormatReport) =>
  (line: number, reason: string): void =>
    report.invalid(path, `line ${line}`, reason);

async function importLabels({ path, subset }: SubsetFile, reading: Reading): Promise<void> {
  const { files, task_data, options, labelOf, frameOf, noteUnread } = reading;
  const { report } = options;
  const add = createAnnotationAdder(task_data, report, path);
  await readCsvRecords(
    files.source.stream(path),
    (record, line) => {
      const at = `line ${line}`;
      const name = record.get('LabelName') ?? '';
      const imageId = record.get('ImageID') ?? '';
      const label = labelOf(name);
      const stated = record.get('Confidence')?.trim();
      const confidence = stated === undefined || stated === '' ? 1 : readNumber(stated);
      const frame = frameOf(imageId, subset, path);
      if (!(confidence >= 0 && confidence <= 1))
        report.invalid(path, at, `the confidence "${stated}" is not a number from 0 to 1`);
      else if (!frame) report.invalid(path, at, `image "${imageId}" is not in the task: its label was left out`);
      else if (confidence === 0)
        report.dropped('tag', label, 'A confidence of 0 means that the image does not show the label.');
      else {
        noteUnread(Object.fromEntries(record), label);
        if (confidence < 1) report.dropped('tag', label, 'Image-level labels have no confidence.');
        add.tag({ frame: frame.frame, label, attributes: [], group: 0, source: 'file' }, at);
      }
    },
    { between: pauseBetween(task_data, options), onBad: reportLine(path, report) },
  );
}

async function importBoxes(
  { path, subset }: SubsetFile,
  reading: Reading,
  maskBoxes: ReadonlyMap<string, MaskBox[]>,
  nextGroup: () => number,
): Promise<void> {
  const { files, task_data, options, labelOf, frameOf, sizeOf, noteUnread } = reading;
  const { report } = options;
  const add = createAnnotationAdder(task_data, report, path);
  await readCsvRecords(
    files.source.stream(path),
    (record, line) => {
      const at = `line ${line}`;
      const imageId = record.get('ImageID') ?? '';
      const name = record.get('LabelName') ?? '';
      const fractions = coordinateColumns.map((column) => fractionOf(record, column));
      const [xmin = 0, xmax = 0, ymin = 0, ymax = 0] = fractions;
      const wrong = fractions.findIndex(Number.isNaN);
      if (wrong >= 0) return report.invalid(path, at, `${coordinateColumns[wrong]} is not a number`);
      const problem = sharesProblem(fractions);
      if (problem !== undefined) return report.invalid(path, at, problem);
      const frame = frameOf(imageId, subset, path);
      if (!frame) return report.invalid(path, at, `image "${imageId}" is not in the task: its box was left out`);
      const { width, height } = sizeOf(imageId, frame);
      if (!(width > 0 && height > 0)) return report.invalid(path, at, `the size of image "${imageId}" is not known`);
      const label = labelOf(name);
      noteUnread(Object.fromEntries(record), label);
      const box = findBox(maskBoxes.get(imageId), name, fractions);
      if (box && box.group === 0) box.group = nextGroup();
      const stated = record.get('Confidence')?.trim() || null;
      const lose = (rule: string): void => report.dropped('attribute', label, rule);
      const occluded = flagValue(record, 'IsOccluded', lose) === '1';
      const attributes = flagAttributes(record, task_data.label(label), lose);
      const { score = 1 } = readScore(stated === null ? null : readNumber(stated), lose);
      return add.shape(
        plainShape({
          type: 'rectangle',
          frame: frame.frame,
          label,
          points: [pixelsOf(xmin, width), pixelsOf(ymin, height), pixelsOf(xmax, width), pixelsOf(ymax, height)],
          occluded,
          attributes,
          group: box?.group ?? 0,
          // A drawn box always has a confidence of 1, which is not a score.
          score: score < 1 ? score : undefined,
        }),
        at,
      );
    },
    { between: pauseBetween(task_data, options), onBad: reportLine(path, report) },
  );
}

/**
 * Finds a mask in the folder of its subset. Some copies of the dataset have all masks in one folder, or by first
 * letter.
 */
function createMaskFinder(source: Source): (file: string, subset: string) => string | undefined {
  let byName: Map<string, string[]> | undefined;
  return (file, subset) => {
    // The name is untrusted: it is only looked up among the entries and never used as a path.
    const direct = [`masks/${subset}/${file}`, `masks/${file}`].find((path) => source.has(path));
    if (direct !== undefined) return direct;
    byName ??= Map.groupBy(
      source.entries.map(({ path }) => path).filter((path) => /\.png$/i.test(path)),
      (path) => path.slice(path.lastIndexOf('/') + 1),
    );
    const found = byName.get(file) ?? [];
    return found.length === 1 ? found[0] : undefined;
  };
}

/** Scales a mask to the size of the image, which may differ. */
function scaled(mask: MaskImage, { width, height }: ImageSize): MaskImage {
  if (mask.width === width && mask.height === height) return mask;
  return {
    width,
    height,
    isColor: mask.isColor,
    valueAt(index) {
      const x = index % width;
      const y = (index - x) / width;
      return mask.valueAt(Math.floor((y * mask.height) / height) * mask.width + Math.floor((x * mask.width) / width));
    },
  };
}

async function importMasks(
  { path, subset }: SubsetFile,
  reading: Reading,
  maskBoxes: ReadonlyMap<string, MaskBox[]>,
  masks: ReturnType<typeof createMaskAdder>,
): Promise<void> {
  const { files, task_data, options, labelOf, frameOf, sizeOf, noteUnread } = reading;
  const { report, signal } = options;
  const { source } = files;
  const findMask = createMaskFinder(source);
  const add = createAnnotationAdder(task_data, report, path);
  // Rows are processed in chunks, because each needs an image.
  const importRow = async (record: CsvRecord, line: number): Promise<void> => {
    const at = `line ${line}`;
    const imageId = record.get('ImageID') ?? '';
    const name = record.get('LabelName') ?? '';
    const label = labelOf(name);
    const maskPath = findMask(record.get('MaskPath') ?? '', subset);
    const frame = frameOf(imageId, subset, path);
    if (!frame) return report.invalid(path, at, `image "${imageId}" is not in the task: its mask was left out`);
    if (maskPath === undefined)
      return report.invalid(path, at, `the mask "${record.get('MaskPath')?.slice(0, 200)}" is not in the dataset`);
    const mask = await tryReadImage(source, maskPath, report);
    if (!mask) return undefined;
    const size = sizeOf(imageId, frame);
    const image = size.width > 0 && size.height > 0 ? scaled(mask, size) : mask;
    const points = setPixels(image, maskPath, report);
    if (!points) return report.invalid(maskPath, 'the image', 'it has no pixel of the object');
    const fractions = coordinateColumns.map((column) => fractionOf(record, `Box${column}`));
    const box = fractions.some(Number.isNaN) ? undefined : findBox(maskBoxes.get(imageId), name, fractions);
    noteUnread(Object.fromEntries(record), label);
    const info = task_data.label(label);
    const attributes = [
      { name: 'box_id', value: record.get('BoxID') ?? '' },
      { name: 'predicted_iou', value: record.get('PredictedIoU') ?? '' },
    ].filter((one) => one.value !== '' && info?.attributes.some((attribute) => attribute.name === one.name));
    return masks.add(add, points, { frame: frame.frame, label, attributes, group: box?.group ?? 0 }, at);
  };
  const rows: { record: CsvRecord; line: number }[] = [];
  const between = async (): Promise<void> => {
    for (const { record, line } of rows.splice(0)) {
      signal.throwIfAborted();
      await importRow(record, line);
      await task_data.backpressure?.();
    }
  };
  await readCsvRecords(source.stream(path), (record, line) => void rows.push({ record, line }), {
    between,
    onBad: reportLine(path, report),
  });
}

/** Reads Open Images V4 to V7: image labels, boxes and masks from CSV files. */
export const importOpenImages: DatasetReader = async (source, task_data, options) => {
  const files = findOpenImages(source);
  const parts = [...files.labels, ...files.boxes, ...files.masks];
  if (source.kind === 'file' || (parts.length === 0 && !files.hasImageLists)) {
    throw new AppError(
      'invalid',
      `${source.name} is not an ${format} dataset: it has no files such as annotations/train-annotations-bbox.csv. Nothing was imported.`,
    );
  }
  const classes = await readClasses(files, options.report);
  for (const name of new Set(classes.values())) task_data.declare_label?.({ name });
  const sizes = await readSizes(files);
  const masks = createMaskAdder(options.report, options.conv_mask_to_poly);
  const reading: Reading = {
    files,
    task_data,
    options,
    labelOf: createLabelNames(classes, task_data),
    frameOf: createFrames(task_data),
    noteUnread: createUnreadMembers(options.report, knownColumns),
    sizeOf: (imageId, frame) => (frame.width > 0 && frame.height > 0 ? frame : (sizes.get(imageId) ?? frame)),
  };
  const maskBoxes = await readMaskBoxes(reading);
  const steps = [
    ...files.labels.map((file) => () => importLabels(file, reading)),
    ...files.boxes.map((file) => () => importBoxes(file, reading, maskBoxes, masks.nextGroup)),
    ...files.masks.map((file) => () => importMasks(file, reading, maskBoxes, masks)),
  ];
  await eachFile(steps, task_data, options, (step) => step());
};

export const detectOpenImages = amongFiles((source) => {
  const { labels, boxes, masks, hasImageLists, classes } = findOpenImages(source);
  const first = [...boxes, ...labels, ...masks][0]?.path;
  if (first !== undefined) return { reason: `${first} has a file name of Open Images.`, confidence: 0.95 };
  if (!hasImageLists || !classes) return null;
  return { reason: `It has lists of images and ${classes.path}.`, confidence: 0.9 };
});
