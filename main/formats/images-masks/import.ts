import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { readDatasetFiles, someOf } from '../kit/dataset-files.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { amongFiles } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { createColorResolver, type LabelColor } from '../kit/mask-files/label-colors.ts';
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
import { numberOption } from '../kit/option-values.ts';
import { findMasks, hasDocuments, hasImages } from './files.ts';
import { readLabels } from './labels.ts';

const format = 'Images and masks';
/** What a mask of black and white shows, where no file says it. */
const oneLabel = 'object';
const white = 255;

/** Names of values where no file has any: of black and white one, else the number, or the colour. */
function ownName(value: number, { isColor }: Pick<MaskImage, 'isColor'>): string {
  if (isColor) return value === 0xffffff ? oneLabel : `#${value.toString(16).padStart(6, '0')}`;
  return value === white ? oneLabel : String(value);
}

/** Folders of images and of masks, index or colour, with a list of labels or without. */
export const importImagesMasks: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const stated = await readLabels(source);
  const labels: readonly LabelColor[] = stated?.labels ?? [];
  for (const { name } of labels.slice(1)) task_data.declare_label?.({ name });
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  const tolerance = numberOption(options, 'color_tolerance', { fallback: 0, minimum: 0, maximum: 255 });
  const resolver = createColorResolver(labels, tolerance);

  await readDatasetFiles({
    source,
    task_data,
    options,
    format,
    needs: 'folder of masks such as masks/',
    // A list of labels without a mask: nothing was drawn.
    find: () => (source.kind === 'file' ? undefined : (someOf(findMasks(source)) ?? (stated && []))),
    async read({ path, names, subset }) {
      const frame = findFrame(task_data, names, subset);
      if (!frame)
        return report.bad(path, 'the image', `"${names[0] ?? ''}" is not in the task: its masks were left out`);
      const image = await tryReadImage(source, path, report);
      if (!image) return;
      sizes.compare(path, image, frame);
      const unknown = createUnknownValues(report, describeColor(image.isColor));
      const numberOf = (value: number): number => {
        if (value === 0) return nothing;
        if (labels.length === 0) return value;
        // A single label is often drawn in white.
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
        const fields = { frame: frame.frame, label, occluded: false, attributes: [], z_order: 0 };
        masks.add(add, points, { ...fields, source: 'file' }, label);
      }
    },
  });
  sizes.finish();
};

export const detectImagesMasks = amongFiles(async (source) => {
  const found = findMasks(source);
  const [first] = found;
  if (!first) return null;
  const stated = await readLabels(source);
  const reason = `${found.length} pictures lie in a folder of masks, such as ${first.path}.`;
  if (stated) return { reason: `${reason} ${stated.path} names the labels.`, confidence: 0.92 };
  return hasImages(source) && !hasDocuments(source) ? { reason, confidence: 0.7 } : null;
});
