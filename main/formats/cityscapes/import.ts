import { eachFile, notOfFormat } from '../kit/dataset-files.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { findFrame } from '../kit/find-frame.ts';
import { type Source, isSystemFile, stripTopFolder } from '../io/source.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { cityscapesLabels, cityscapesTrainLabels } from '../kit/mask-files/default-labels.ts';
import {
  crowdAttributes,
  declareLabels,
  isWanted,
  labelColorsFile,
  readFileLabels,
} from '../kit/mask-files/label-file.ts';
import { createUnknownValues, describeColor, nothing, tryReadImage, trySplit } from '../kit/mask-files/read-classes.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { imageEnding } from './export.ts';
import { amongFiles } from '../kit/detection.ts';

const labelStep = 1000;
/** Kinds of images of numbers; of a data set that has several the first is read. */
const kinds = ['labelTrainIds', 'instanceIds', 'labelIds'] as const;
type Kind = (typeof kinds)[number];

interface MaskFile {
  readonly path: string;
  readonly subset: string;
  readonly id: string;
}

/** Masks of a data set: `gtFine/<subset>/<id>_gtFine_<kind>.png`, and the coarse ones. */
function findMasks(source: Source): { readonly kind: Kind; readonly files: MaskFile[] } | undefined {
  for (const kind of kinds) {
    const files = source.entries.flatMap(({ path }): MaskFile[] => {
      const match = new RegExp(`^gt(?:Fine|Coarse)/([^/]+)/(.+)_gt(?:Fine|Coarse)_${kind}\\.png$`, 'i').exec(path);
      return match && !isSystemFile(path) ? [{ path, subset: match[1] ?? '', id: match[2] ?? '' }] : [];
    });
    if (files.length > 0) return { kind, files };
  }
  return undefined;
}

const isExpected = (path: string): boolean => /^(gtFine|gtCoarse|imgsFine)\//.test(path) || path === labelColorsFile;

/** Cityscapes: masks by the numbers of labels and instances. Pixels without an object become no mask. */
export const importCityscapes: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const view = stripTopFolder(source, isExpected);
  const found = findMasks(view);
  if (!found && !view.entries.some(({ path }) => isExpected(path))) {
    throw notOfFormat(source, 'Cityscapes', 'it has no masks such as gtFine/train/…_gtFine_instanceIds.png');
  }
  const { kind = 'instanceIds', files = [] } = found ?? {};
  const isTrained = kind === 'labelTrainIds';
  const fileLabels = await readFileLabels(view, isTrained ? cityscapesTrainLabels : cityscapesLabels, report);
  declareLabels(fileLabels, task_data);
  const { labels } = fileLabels;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);

  const importFile = async ({ path, subset, id }: MaskFile): Promise<void> => {
    const frame = findFrame(task_data, [`${id}${imageEnding}.png`, `${id}.png`], subset);
    if (!frame) return report.bad(path, 'the image', `image "${id}" is not in the task: its masks were left out`);
    const image = await tryReadImage(view, path, report);
    if (!image) return undefined;
    if (image.isColor) return report.bad(path, 'the image', 'it has colours where an image of numbers must be grey');
    sizes.compare(path, image, frame);
    const unknown = createUnknownValues(report, describeColor(false));
    const labelOf = (value: number): number => (value < labelStep ? value : Math.floor(value / labelStep));
    const found = trySplit(image, (index) => image.valueAt(index), path, report);
    const add = createAnnotationAdder(task_data, report, path);
    for (const [value, { points, area }] of found) {
      const number = labelOf(value);
      const label = labels[number];
      if (!label) {
        // In training numbers 255 means that a pixel counts for nothing.
        if (value !== nothing && !(isTrained && value === 255)) unknown.count(value, area);
        continue;
      }
      if (!isWanted(label, fileLabels.isStated || !isTrained ? number : -1, task_data)) continue;
      const attributes = crowdAttributes(value < labelStep, task_data.label(label.name));
      const fields = { frame: frame.frame, label: label.name, occluded: false, attributes, z_order: 0 };
      masks.add(add, points, { ...fields, source: 'file' }, `number ${value}`);
    }
    unknown.finish(path, 'numbers belong to no label');
    return undefined;
  };

  await eachFile(files, task_data, options, importFile);
  sizes.finish();
};

/** Masks in a folder gtFine with the endings of Cityscapes. */
export const detectCityscapes = amongFiles((source) => {
  const view = stripTopFolder(source, (path) => /^(gtFine|gtCoarse|imgsFine)\//.test(path));
  const path = findMasks(view)?.files[0]?.path;
  if (path !== undefined) return { reason: `${path} is an image of numbers as Cityscapes has them.`, confidence: 0.95 };
  const image = view.entries.find((entry) => entry.path.startsWith('imgsFine/leftImg8bit/'))?.path;
  return image === undefined ? null : { reason: `${image} lies where Cityscapes has its images.`, confidence: 0.6 };
});
