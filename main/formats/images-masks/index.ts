import { csvRow } from '../io/csv-rows.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { readDatasetFiles, someOf } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { usualSubsets } from '../kit/label-folders.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { colorTolerance, createColorResolver, type LabelColor, toleranceOf } from '../kit/mask-files/label-colors.ts';
import { createPaintedExporter, paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted } from '../kit/mask-files/png-writer.ts';
import {
  createUnknownValues,
  describeColor,
  manyColors,
  nothing,
  tryReadImage,
  trySplit,
} from '../kit/mask-files/read-classes.ts';
import type { MaskImage } from '../kit/mask-files/read-image.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { isImagePath, pathParts } from '../kit/yolo-family/dataset-paths.ts';
import { readLabels } from './labels.ts';

const imageFolders = /^(images?|imgs?|images(Tr|Ts)|photos|pictures|JPEGImages)$/i;
const maskFolders =
  /^(masks?|labels?|labels(Tr|Ts)|annotations?|segmentations?|segmentation_masks|gts?|ground_?truth)$/i;

/** A mask image and the image that it belongs to. */
interface MaskFile {
  readonly path: string;
  /** Candidate names of the image, most likely first. */
  readonly names: readonly string[];
  readonly subset: string;
}

/** Stem shared by a mask and its image. Masks end in `_mask`, `-mask` or `_gt`; images of nnU-Net end in `_0000`. */
const stemOf = (path: string): string =>
  withoutExtension(path).replace(/[_-](mask|masks|gt|label|segmentation|seg)$/i, '');

function folderAt(path: string, folders: RegExp): number {
  return pathParts(path).findLastIndex((part, index, all) => index < all.length - 1 && folders.test(part));
}

/** Masks of a dataset: image files in a mask folder, beside a folder of images or alone. */
function findMasks(source: Source): MaskFile[] {
  const inFolders = findFoldersOfMasks(source);
  return inFolders.length > 0 ? inFolders : findMasksBeside(source);
}

/** `a_mask.png` beside `a.jpg`, as Roboflow writes them. */
function findMasksBeside(source: Source): MaskFile[] {
  const stems = new Set(
    source.entries
      .map(({ path }) => path)
      .filter(isImagePath)
      .map(withoutExtension),
  );
  return source.entries.flatMap(({ path }): MaskFile[] => {
    const stem = /^(.*)_mask\.png$/i.exec(path)?.[1];
    if (stem === undefined || !stems.has(stem) || isSystemFile(path)) return [];
    const parts = pathParts(stem);
    const at = parts.findLastIndex((part, index) => index < parts.length - 1 && usualSubsets.has(part));
    const names = [parts.slice(at + 1).join('/'), parts.join('/')].map((name) => `${name}.jpg`);
    return [{ path, names, subset: parts[at] ?? 'default' }];
  });
}

function findFoldersOfMasks(source: Source): MaskFile[] {
  return source.entries.flatMap(({ path }): MaskFile[] => {
    const at = folderAt(path, maskFolders);
    if (at < 0 || !isImagePath(path) || isSystemFile(path)) return [];
    const parts = pathParts(path);
    const [outer, inner] = [parts[at - 1] ?? '', parts[at + 1] ?? ''];
    const isInside = at + 2 < parts.length && usualSubsets.has(inner);
    const subset = isInside ? inner : usualSubsets.has(outer) ? outer : at + 2 < parts.length ? inner : 'default';
    const all = stemOf(parts.slice(at + 1).join('/'));
    const below = all.slice(all.indexOf('/') + 1);
    const stems = all.includes('/') ? (isInside ? [below, all] : [all, below]) : [all];
    return [{ path, subset, names: stems.flatMap((stem) => [`${stem}.jpg`, `${stem}_0000.jpg`]) }];
  });
}

/** True if the source also has a folder of images. */
const hasImages = (source: Source): boolean =>
  source.entries.some(({ path }) => isImagePath(path) && folderAt(path, imageFolders) >= 0);

/** True if the masks come with documents of another format, such as COCO or Open Images. */
const hasDocuments = (source: Source): boolean =>
  source.entries.some(({ path }) => /\.(json|xml|csv)$/i.test(path) && folderAt(path, maskFolders) >= 0);

/** Writes `masks/<subset>/<image>.png` with label numbers, `labelmap.csv`, and `images/<subset>/<image>`. */
const exportImagesMasks = createPaintedExporter({
  format: 'Images and masks',
  joinsLabels: true,
  colors: {
    file: 'labelmap.csv',
    write: (labels) =>
      [csvRow(['name', 'r', 'g', 'b']), ...labels.map(({ name, color }) => csvRow([name, ...color]))].join(''),
  },
  files: ({ labels, numberOf }) => ({
    painting: { keepsGroups: true },
    imagePath: ({ subset, image }) => `images/${subset}/${image}`,
    async add({ subset, stem }, painted, { packed }) {
      if (!painted) return;
      const classes = mapInstances(painted, ({ leader }) => numberOf(leader.label));
      const colorOf = (index: number) => labels[index]?.color ?? ([0, 0, 0] as const);
      await packed(`masks/${subset}/${stem}.png`, encodePainted(painted, classes, colorOf, labels.length));
    },
  }),
});

const format = 'Images and masks';
/** Label of a black and white mask without a list of labels. */
const oneLabel = 'object';
const white = 255;

/** Label of a pixel value without a list of labels: one label for black and white, else the number or the color. */
function ownName(value: number, { isColor }: Pick<MaskImage, 'isColor'>): string {
  if (isColor) return value === 0xffffff ? oneLabel : `#${value.toString(16).padStart(6, '0')}`;
  return value === white ? oneLabel : String(value);
}

/** Reads folders of images and of masks (index or color), with or without a list of labels. */
const importImagesMasks: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const stated = await readLabels(source);
  const labels: readonly LabelColor[] = stated?.labels ?? [];
  for (const { name } of labels.slice(1)) task_data.declare_label?.({ name });
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  const tolerance = toleranceOf(options);
  const resolver = createColorResolver(labels, tolerance);

  await readDatasetFiles(source, task_data, options, {
    format,
    needs: 'folder of masks such as masks/',
    // A list of labels without masks is a valid dataset without objects.
    find: () => (source.kind === 'file' ? undefined : (someOf(findMasks(source)) ?? (stated && []))),
    async read({ path, names, subset }) {
      const frame = findFrame(task_data, names, subset, path);
      if (!frame)
        return report.invalid(path, 'the image', `"${names[0] ?? ''}" is not in the task: its masks were left out`);
      const image = await tryReadImage(source, path, report);
      if (!image) return;
      sizes.compare(path, image, frame);
      const unknown = createUnknownValues(report, describeColor(image.isColor));
      const numberOf = (value: number): number => {
        if (value === 0) return nothing;
        if (labels.length === 0) return value;
        // Masks of a single label are often drawn in white.
        if (!image.isColor && labels.length === 2 && value === white) return 1;
        const number = image.isColor ? resolver.resolve(value) : value < labels.length ? value : -1;
        if (number < 0) unknown.count(value);
        return number <= 0 ? nothing : number;
      };
      const found = trySplit(image, (index) => numberOf(image.valueAt(index)), path, report);
      unknown.finish(path, manyColors);
      const add = createAnnotationAdder(task_data, report, path);
      for (const [number, { points }] of found) {
        const label = labels.length === 0 ? ownName(number, image) : (labels[number]?.name ?? '');
        masks.add(add, points, { frame: frame.frame, label }, label);
      }
    },
  });
  sizes.finish();
};

const detectImagesMasks = amongFiles(async (source) => {
  const found = findMasks(source);
  const [first] = found;
  if (!first) return null;
  const stated = await readLabels(source);
  const reason = `${found.length} images are masks, such as ${first.path}.`;
  if (stated) return { reason: `${reason} ${stated.path} names the labels.`, confidence: 0.92 };
  return hasImages(source) && !hasDocuments(source) ? { reason, confidence: 0.7 } : null;
});

export const imagesMasks = defineFormat({
  name: 'Images and Masks',
  version: '1.0',
  support: paintedSupport,
  detect: detectImagesMasks,
  importOptions: [colorTolerance],
  read: importImagesMasks,
  write: exportImagesMasks,
});
