import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { datasetExporter, defineFormat } from '../kit/define-format.ts';
import { amongFiles, oncePerSource, readHead, readJsonHeads } from '../kit/detection.ts';
import { externalFolders, noLabel, usualSubsets } from '../kit/label-folders.ts';
import type { Detector } from '../kit/plugin.ts';
import { splitRow } from '../kit/yolo-family/box-row.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { findDescription, findNames, labelFiles, readNames } from './dataset.ts';
import { classificationFolders, exportClassification, importClassification } from './classification.ts';
import { type DataYaml, readDataYaml } from './data-yaml.ts';
import { exportDetection, exportDetectionTrack, importDetection } from './detection.ts';
import { exportOrientedBoxes, importOrientedBoxes } from './oriented-boxes.ts';
import { exportPose, importPose } from './pose.ts';
import { exportSegmentation, importSegmentation } from './segmentation.ts';

type RowVariant = 'detection' | 'oriented boxes' | 'segmentation';

const sampledFiles = 20;
const sampledRows = 200;

/** True if four points can be corners of a box. Opposite sides are equal even if the image is not square. */
function isParallelogram(fields: readonly string[]): boolean {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = fields.slice(1, 9).map(Number);
  return Math.abs(x0 + x2 - x1 - x3) < 1e-4 && Math.abs(y0 + y2 - y1 - y3) < 1e-4;
}

/** Variants that a row can belong to, by the number of its values. */
function variantsOf(fields: readonly string[]): RowVariant[] {
  const count = fields.length;
  if (count === 5 || count === 6) return ['detection'];
  if ((count === 9 || count === 10) && isParallelogram(fields)) return ['oriented boxes', 'segmentation'];
  return count >= 7 ? ['segmentation'] : [];
}

/** Counts how many of the first rows of a few label files can belong to each variant. */
async function countRows(
  source: Source,
  paths: readonly string[],
): Promise<{ rows: number; byVariant: ReadonlyMap<RowVariant, number> }> {
  const byVariant = new Map<RowVariant, number>();
  let rows = 0;
  for (const path of paths.slice(0, sampledFiles)) {
    for (const line of splitLines(await readHead(source, path, 64 * 1024)).slice(0, sampledRows)) {
      const fields = splitRow(line);
      if (fields.length === 0) continue;
      rows += 1;
      for (const variant of variantsOf(fields)) byVariant.set(variant, (byVariant.get(variant) ?? 0) + 1);
    }
  }
  // A file of polygons may contain boxes.
  const polygons = byVariant.get('segmentation') ?? 0;
  const boxes = byVariant.get('detection') ?? 0;
  if (polygons > 0 && polygons > (byVariant.get('oriented boxes') ?? 0))
    byVariant.set('segmentation', polygons + boxes);
  return { rows, byVariant };
}

async function describe(source: Source, file: string): Promise<DataYaml | undefined> {
  try {
    return readDataYaml(await readHead(source, file, 32 * 1024 * 1024), file);
  } catch {
    return undefined;
  }
}

const inLabelFolders = (source: Source): string[] =>
  source.entries
    .filter(({ path, sizeBytes }) => /(^|\/)labels\/.*\.txt$/.test(path) && sizeBytes > 0 && !isSystemFile(path))
    .map(({ path }) => path);

/** Evidence from labels beside a list of class names alone. It counts only if every row looks like one. */
async function bareSigns(source: Source) {
  const file = findNames(source);
  const isDarknet = source.entries.some(({ path }) => /(^|\/)obj\.data$/.test(path));
  const paths = labelFiles(source);
  if (file === undefined || isDarknet || paths.length === 0)
    return { file, description: undefined, counted: undefined };
  const names = await readNames(source, file);
  const counted = await countRows(source, paths);
  const isOurs = names.size > 0 && counted.rows > 0 && Math.max(0, ...counted.byVariant.values()) === counted.rows;
  return { file, description: undefined, counted: isOurs ? counted : undefined };
}

/** The description of the dataset and the kinds of rows, read once for all variants. */
const readSigns = oncePerSource(async (source) => {
  const file = findDescription(source);
  if (file === undefined) return bareSigns(source);
  const description = await describe(source, file);
  return {
    file,
    description,
    counted: description && !description.keypointShape ? await countRows(source, inLabelFolders(source)) : undefined,
  };
});

/** Detects a file with class names. `kpt_shape` and the number of values per row decide the variant. */
const ofRows = (variant: RowVariant): Detector =>
  amongFiles(async (source) => {
    const { file, counted } = await readSigns(source);
    if (!counted) return null;
    const { rows, byVariant } = counted;
    if (rows === 0)
      return { reason: `${file} has class names, but without rows the variant is not known.`, confidence: 0.4 };
    const count = byVariant.get(variant);
    if (count === undefined) return null;
    const reason = `${file} has class names, and ${count} of the first ${rows} label rows have as many values as this variant.`;
    // Four corners can also be a polygon of four points, but boxes are more likely.
    const isUnlikely = variant === 'segmentation' && byVariant.get('oriented boxes') === count;
    return { reason, confidence: (count / rows) * (isUnlikely ? 0.6 : 0.95) };
  });

const detectDetection = ofRows('detection');
const detectOrientedBoxes = ofRows('oriented boxes');
const detectSegmentation = ofRows('segmentation');

const detectPose = amongFiles(async (source) => {
  const { file, description } = await readSigns(source);
  return description?.keypointShape
    ? { reason: `${file} has class names and the shape of keypoints.`, confidence: 1 }
    : null;
});

/** Detects folders `<subset>/<label>/<image>`, or lists of labels. */
const detectClassification = amongFiles(async (source) => {
  if ((await readSigns(source)).description) return null;
  const { subsets, labels, images, hasLists } = classificationFolders(source);
  // FiftyOne's files have the same name.
  const isOther = (await readJsonHeads(source)).some(({ has }) => has('labels') && has('classes'));
  if (hasLists && !isOther) return { reason: 'It has lists labels.json, one for each subset.', confidence: 0.95 };
  const isUsual = subsets.size > 0 && [...subsets].every((subset) => usualSubsets.has(subset));
  if (!isUsual || [...labels].some((label) => externalFolders.has(label))) return null;
  // Annotation files beside the images are stronger evidence than the folders.
  const isBeside = ({ path }: { readonly path: string }): boolean =>
    isImagePath(path) || isSystemFile(path) || /(^|\/)(readme|licen[cs]e|classes)[^/]*$|\.(md|cache)$/i.test(path);
  if (!source.entries.every(isBeside)) return null;
  const reason = `${images} images are in folders such as ${[...subsets][0]}/${[...labels][0]}: a subset and a label.`;
  return { reason, confidence: labels.has(noLabel) ? 0.9 : 0.7 };
});

export const ultralyticsDetection = defineFormat({
  name: 'Ultralytics YOLO Detection',
  version: '1.0',
  statesShares: true,
  support: { rectangle: 'both', track: 'import' },
  detect: detectDetection,
  read: importDetection,
  write: exportDetection,
});

export const ultralyticsDetectionTrackExporter = datasetExporter({
  name: 'Ultralytics YOLO Detection Track',
  isSequence: true,
  version: '1.0',
  cutsOutside: true,
  ext: 'ZIP',
  support: { rectangle: 'export', track: 'export' },
})(exportDetectionTrack);

export const ultralyticsOrientedBoxes = defineFormat({
  name: 'Ultralytics YOLO Oriented Bounding Boxes',
  version: '1.0',
  statesShares: true,
  support: { rectangle: 'both', 'rotated rectangle': 'both', track: 'import' },
  detect: detectOrientedBoxes,
  read: importOrientedBoxes,
  write: exportOrientedBoxes,
});

export const ultralyticsSegmentation = defineFormat({
  name: 'Ultralytics YOLO Segmentation',
  version: '1.0',
  statesShares: true,
  support: { rectangle: 'import', polygon: 'both', mask: 'converted', ellipse: 'converted', track: 'import' },
  detect: detectSegmentation,
  read: importSegmentation,
  write: exportSegmentation,
});

export const ultralyticsPose = defineFormat({
  name: 'Ultralytics YOLO Pose',
  version: '1.0',
  statesShares: true,
  support: { skeleton: 'both', track: 'import' },
  detect: detectPose,
  read: importPose,
  write: exportPose,
});

export const ultralyticsClassification = defineFormat({
  name: 'Ultralytics YOLO Classification',
  version: '1.0',
  support: { tag: 'both' },
  detect: detectClassification,
  read: importClassification,
  write: exportClassification,
});
