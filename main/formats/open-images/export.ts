import { visitMask } from '../../../preload/geometry/mask-runs.ts';
import { csvRow } from '../io/csv-rows.ts';
import { type SpillFiles, withSpillFiles } from '../io/spill-files.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { createItemNames, type DatasetItem } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import { hasArea, shapeMask } from '../kit/mask-files/shape-mask.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Frame, FrameInfo, LabeledShape } from '../kit/task-data.ts';
import {
  boxSuffix,
  classFile,
  flags,
  hierarchyFile,
  imagesSuffix,
  labelSuffix,
  maskSuffix,
  sizesFile,
} from './files.ts';

const format = 'Open Images';

const imageColumns =
  'ImageID,Subset,OriginalURL,OriginalLandingURL,License,AuthorProfileURL,Author,Title,OriginalSize,OriginalMD5,Thumbnail300KURL,Rotation';
const labelColumns = 'ImageID,Source,LabelName,Confidence';
const boxColumns =
  'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside';
const maskColumns = 'MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks';

function isStraightBox({ type, rotation = 0 }: LabeledShape): boolean {
  return type === 'rectangle' && rotation % 360 === 0;
}

/** XMin, XMax, YMin, YMax as fractions of the image. */
function boxFractions({ points }: LabeledShape, { width, height }: FrameInfo): number[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  return [Math.min(x1, x2) / width, Math.max(x1, x2) / width, Math.min(y1, y2) / height, Math.max(y1, y2) / height];
}

function attributeOf({ attributes }: LabeledShape, name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value;
}

function flagOf(shape: LabeledShape, name: string): number {
  const value = attributeOf(shape, name)?.toLowerCase();
  return value === undefined ? -1 : value === 'true' || value === '1' ? 1 : 0;
}

/** Part of a file name, without characters that break file systems or readers of the list. */
function fileNamePart(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}.-]+/gu, '_').slice(0, 80);
}

/** `name height width` per line; names with spaces are quoted. */
function sizeLine(name: string, { width, height }: FrameInfo): string {
  const quoted = /[\s"'\\#]/.test(name) ? `"${name.replaceAll(/["\\]/g, (mark) => `\\${mark}`)}"` : name;
  return `${quoted} ${height} ${width}\n`;
}

function createCsv(spill: SpillFiles) {
  const opened = new Set<string>();
  return (name: string, columns: string, fields: readonly (string | number)[]): void => {
    const out = spill.open(name);
    if (!opened.has(name)) out.text(`${columns}\n`);
    opened.add(name);
    out.text(csvRow(fields));
  };
}

function problemOf(shape: LabeledShape, frame: Frame): string | undefined {
  if (!hasArea(shape)) return `${format} has no ${shape.type}, and it has no area to paint.`;
  if (!(frame.width > 0 && frame.height > 0)) return 'The size of the image is not known.';
  return shape.points.every(Number.isFinite) ? undefined : 'Its coordinates are not finite numbers.';
}

/** One-bit image; undefined if no pixel is set. */
function maskImage(shape: LabeledShape, frame: Frame): Buffer | undefined {
  const { width, height } = frame;
  const mask = shapeMask(shape, frame);
  const pixels = new Uint8Array(width * height);
  let isEmpty = true;
  if (mask) {
    visitMask(mask, frame, (row, start, end) => {
      isEmpty = false;
      pixels.fill(1, row * width + start, row * width + end);
    });
  }
  return isEmpty ? undefined : encodePng({ kind: 'bits', width, height, pixels });
}

/** Writes the rows of each image, and its mask images. */
function createItemWriter(zip: ZipWriter, spill: SpillFiles, report: FormatReport) {
  const row = createCsv(spill);
  const usedMaskPaths = new Set<string>();
  const boxNotes = createLossNotes(report, format, {
    attributes: new Set<string>(flags.map(({ attribute }) => attribute)),
    occluded: true,
    group: true,
    score: true,
    rotation: true,
  });
  const maskNotes = createLossNotes(report, format, {
    attributes: new Set(['box_id', 'predicted_iou']),
    group: true,
    rotation: true,
  });
  const tagNotes = createLossNotes(report, format, {});
  const lose = (shape: LabeledShape, rule: string): void => report.dropped(shape.type, shape.label, rule);

  /** The box of the masks in a group; undefined, with a report, if a group is not exactly one box and its mask. */
  const boxOfGroup = (members: readonly LabeledShape[]): LabeledShape | undefined => {
    const boxes = members.filter(isStraightBox);
    const [box] = boxes;
    const masks = members.filter((shape) => !isStraightBox(shape));
    const isKept = box !== undefined && masks.length === 1 && boxes.length === 1 && masks[0]?.label === box.label;
    if (isKept) return box;
    if (members.length > 1) {
      for (const shape of members)
        lose(shape, `${format} has groups of one box and one mask with the same label only.`);
    }
    return undefined;
  };

  const addBox = (shape: LabeledShape, { frame, subset, stem }: DatasetItem): void => {
    boxNotes.shape(shape);
    report.included('rectangle', shape.label);
    row(`annotations/${subset}${boxSuffix}`, boxColumns, [
      stem,
      '',
      shape.label,
      shape.score ?? 1,
      ...boxFractions(shape, frame),
      shape.occluded ? 1 : 0,
      ...flags.map(({ attribute }) => flagOf(shape, attribute)),
    ]);
  };

  /** Returns a name that no mask of the subset has. */
  const claimMaskName = (subset: string, base: string): string => {
    let file = `${base}.png`;
    for (let copy = 1; usedMaskPaths.has(`${subset}/${file}`); copy += 1) file = `${base}_${copy}.png`;
    usedMaskPaths.add(`${subset}/${file}`);
    return file;
  };

  const addMask = async (
    shape: LabeledShape,
    box: LabeledShape | undefined,
    { frame, subset, stem }: DatasetItem,
    number: number,
  ): Promise<void> => {
    const image = maskImage(shape, frame);
    if (!image) return lose(shape, 'It has no pixel in the image.');
    if (shape.type === 'mask') report.included('mask', shape.label);
    else
      lose(shape, `${format} has no ${shape.type === 'rectangle' ? 'rotated boxe' : shape.type}s: written as a mask.`);
    maskNotes.shape(shape);
    const stated = attributeOf(shape, 'box_id') ?? '';
    const boxId = /^[\w-]{1,32}$/.test(stated) ? stated : number.toString(16).padStart(8, '0');
    const file = claimMaskName(subset, `${fileNamePart(stem)}_${fileNamePart(shape.label)}_${boxId}`);
    await zip.add(`masks/${subset}/${file}`, image, { store: true });
    const fractions = box ? boxFractions(box, frame) : ['', '', '', ''];
    const overlap = attributeOf(shape, 'predicted_iou') ?? '';
    row(`annotations/${subset}${maskSuffix}`, maskColumns, [file, stem, shape.label, boxId, ...fractions, overlap, '']);
    return undefined;
  };

  const addShapes = async (item: DatasetItem): Promise<void> => {
    const { frame } = item;
    const shapes = frame.labeled_shapes.filter((shape) => {
      const problem = problemOf(shape, frame);
      if (problem !== undefined) lose(shape, problem);
      return problem === undefined;
    });
    const boxes = new Map<number, LabeledShape | undefined>();
    for (const [group, members] of Map.groupBy(shapes, (shape) => shape.group))
      if (group !== 0) boxes.set(group, boxOfGroup(members));
    let masks = 0;
    for (const shape of shapes) {
      if (isStraightBox(shape)) addBox(shape, item);
      else {
        await addMask(shape, boxes.get(shape.group), item, masks);
        masks += 1;
      }
    }
  };

  return async (item: DatasetItem): Promise<void> => {
    const { frame, subset, stem } = item;
    const unknown = Array.from({ length: 10 }, () => '');
    row(`annotations/${subset}${imagesSuffix}`, imageColumns, [stem, subset, ...unknown]);
    if (frame.width > 0 && frame.height > 0) spill.open(`annotations/${sizesFile}`).text(sizeLine(stem, frame));
    for (const tag of frame.tags) {
      tagNotes.tag(tag);
      report.included('tag', tag.label);
      row(`annotations/${subset}${labelSuffix}`, labelColumns, [stem, '', tag.label, 1]);
    }
    await addShapes(item);
    await spill.drain();
  };
}

/** The class tree without branches. Its root has a name that no label has. */
function hierarchy(labels: readonly string[]): string {
  let root = 0;
  while (labels.includes(`/m/${root}`)) root += 1;
  return `${JSON.stringify({ LabelName: `/m/${root}`, Subcategory: [] }, null, 4)}\n`;
}

/**
 * Writes Open Images: CSV files per subset with rows of image labels, boxes and masks, and a one-bit image per mask. A
 * mask belongs to the box of its group.
 */
export const exportOpenImages: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const names = createItemNames({ format, report });
  const labels = task_data.meta.labels.map(({ name }) => name);
  createLossNotes(report, format, {}).tracks(task_data);
  await writeArchive(file_object.path, (zip) =>
    withSpillFiles(file_object.path, async (spill) => {
      const addItem = createItemWriter(zip, spill, report);
      for (const frame of steps.frames()) {
        const item = names.claim(frame);
        if (item) await addItem(item);
      }
      await zip.add(`annotations/${classFile}`, labels.map((name) => csvRow([name, name])).join(''));
      await zip.add(`annotations/${hierarchyFile}`, hierarchy(labels));
      await spill.addTo(zip);
      await steps.images(zip, (frame) =>
        names.isLeftOut(frame) ? null : `images/${frame.subset || 'default'}/${imageName(task_data, frame)}`,
      );
    }),
  );
};
