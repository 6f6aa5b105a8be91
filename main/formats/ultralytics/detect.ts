import { type FormatCandidate, readHead } from '../kit/detection.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { splitRow } from '../kit/yolo-family/box-row.ts';
import { classificationFolders } from './classification.ts';
import { type DataYaml, readDataYaml } from './data-yaml.ts';
import { findDescription } from './dataset.ts';

const detection = 'Ultralytics YOLO Detection 1.0';
const orientedBoxes = 'Ultralytics YOLO Oriented Bounding Boxes 1.0';
const segmentation = 'Ultralytics YOLO Segmentation 1.0';
const pose = 'Ultralytics YOLO Pose 1.0';
const classification = 'Ultralytics YOLO Classification 1.0';

const sampledFiles = 20;
const sampledRows = 200;

/** Whether four points may be the corners of a box: also where the image is not square, opposite sides are alike. */
function isParallelogram(fields: readonly string[]): boolean {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = fields.slice(1, 9).map(Number);
  return Math.abs(x0 + x2 - x1 - x3) < 1e-4 && Math.abs(y0 + y2 - y1 - y3) < 1e-4;
}

/** The variants that a row can belong to, by the number of its values. */
function variantsOf(fields: readonly string[]): string[] {
  const count = fields.length;
  if (count === 5 || count === 6) return [detection];
  if ((count === 9 || count === 10) && isParallelogram(fields)) return [orientedBoxes, segmentation];
  return count >= 7 ? [segmentation] : [];
}

/** How many of the first rows of a few label files can belong to each variant. */
async function countRows(source: Source): Promise<{ rows: number; byVariant: ReadonlyMap<string, number> }> {
  const byVariant = new Map<string, number>();
  let rows = 0;
  const files = source.entries.filter(
    ({ path, sizeBytes }) => /(^|\/)labels\/.*\.txt$/.test(path) && sizeBytes > 0 && !isSystemFile(path),
  );
  for (const { path } of files.slice(0, sampledFiles)) {
    for (const line of splitLines(await readHead(source, path, 64 * 1024)).slice(0, sampledRows)) {
      const fields = splitRow(line);
      if (fields.length === 0) continue;
      rows += 1;
      for (const variant of variantsOf(fields)) byVariant.set(variant, (byVariant.get(variant) ?? 0) + 1);
    }
  }
  return { rows, byVariant };
}

async function describe(source: Source, file: string): Promise<DataYaml | undefined> {
  try {
    return readDataYaml(await readHead(source, file, 32 * 1024 * 1024), file);
  } catch {
    return undefined;
  }
}

export const usualSubsets: ReadonlySet<string> = new Set(['train', 'val', 'valid', 'validation', 'test']);
/** Folders of images that other formats have inside a subset. */
export const foreignFolders: ReadonlySet<string> = new Set([
  'images',
  'labels',
  'instances',
  'annotations',
  'image_2',
  'label_2',
  'instance',
  'semantic',
  'semantic_rgb',
  'Masks',
]);

/** Folders `<subset>/<label>/<image>`, or lists of labels. */
function detectClassification(source: Source): FormatCandidate[] {
  const { subsets, labels, images, hasLists } = classificationFolders(source);
  if (hasLists) {
    return [{ name: classification, reason: 'It has lists labels.json, one for each subset.', confidence: 0.95 }];
  }
  const isUsual = subsets.size > 0 && [...subsets].every((subset) => usualSubsets.has(subset));
  if (!isUsual || [...labels].some((label) => foreignFolders.has(label))) return [];
  const reason = `${images} images lie in folders such as ${[...subsets][0]}/${[...labels][0]}: a subset and a label.`;
  return [{ name: classification, reason, confidence: 0.7 }];
}

/** A YAML file with class names; the variant shows in `kpt_shape` and in the number of values of a row. */
export async function detectUltralytics(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const file = findDescription(source);
  const description = file === undefined ? undefined : await describe(source, file);
  if (!description) return detectClassification(source);
  if (description.keypointShape)
    return [{ name: pose, reason: `${file} has class names and the shape of key points.`, confidence: 1 }];
  const { rows, byVariant } = await countRows(source);
  if (rows === 0) {
    return [detection, orientedBoxes, segmentation].map((name) => ({
      name,
      reason: `${file} has class names; without rows the variant is not known.`,
      confidence: 0.4,
    }));
  }
  return [...byVariant].map(([name, count]) => ({
    name,
    reason: `${file} has class names, and ${count} of the first ${rows} label rows have as many values as this variant.`,
    // Four corners are also a polygon of four points: boxes are the likelier reading.
    confidence: (count / rows) * (name === segmentation && (byVariant.get(orientedBoxes) ?? 0) === count ? 0.6 : 0.95),
  }));
}
