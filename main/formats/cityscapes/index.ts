import { isSystemFile, type Source, stripTopFolder } from '../io/source.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { eachFile, notOfFormat } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { cityscapesLabels, cityscapesTrainLabels } from '../kit/mask-files/default-labels.ts';
import type { PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { numberInstances } from '../kit/mask-files/instance-numbers.ts';
import { writeLabelColors } from '../kit/mask-files/label-colors.ts';
import {
  crowdAttributes,
  declareLabels,
  isWanted,
  labelColorsFile,
  readFileLabels,
} from '../kit/mask-files/label-file.ts';
import { createPaintedExporter, paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted, encodePng } from '../kit/mask-files/png-writer.ts';
import { createUnknownValues, describeColor, nothing, readNumbers } from '../kit/mask-files/read-classes.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';

const format = 'Cityscapes';
const labelStep = 1000;
const largest = 65_535;

/** Suffix of image names. Mask names have another suffix in its place. */
const imageEnding = '_leftImg8bit';

function itemId(stem: string): string {
  return stem.endsWith(imageEnding) ? stem.slice(0, -imageEnding.length) : stem;
}

/** Encodes label numbers, one byte each unless `isWide`. */
function encodeNumbers({ width, height }: PaintedFrame, numbers: Uint32Array, isWide: boolean): Buffer {
  return isWide
    ? encodePng({ kind: 'grey16', width, height, pixels: Uint16Array.from(numbers) })
    : encodePng({ kind: 'grey8', width, height, pixels: Uint8Array.from(numbers) });
}

const numbering = {
  format,
  perLabel: labelStep - 1,
  numberOf: (label: number, instance: number): number | undefined =>
    label * labelStep + instance <= largest ? label * labelStep + instance : undefined,
  crowdOf: (label: number): number => label,
};

/**
 * Writes Cityscapes. Each image has masks of label numbers, of instance numbers (label · 1000 + instance; the label
 * number for crowds) and of label colors. The color file names the labels in the order of their numbers.
 */
const exportCityscapes = createPaintedExporter({
  format,
  attributes: new Set(['is_crowd']),
  colors: { file: labelColorsFile, hasFields: true, write: writeLabelColors },
  files: ({ report, labels, numberOf }) => ({
    imagePath({ subset, image }) {
      const stem = withoutExtension(image);
      return `imgsFine/leftImg8bit/${subset}/${itemId(stem)}${imageEnding}${image.slice(stem.length)}`;
    },
    async add({ subset, stem }, painted, { packed }) {
      if (!painted) return;
      const instanceNumbers = numberInstances(painted, numberOf, numbering, report);
      const classes = mapInstances(painted, ({ leader }) => numberOf(leader.label));
      const instances = mapInstances(painted, (_, place) => instanceNumbers[place] ?? 0);
      const color = encodePainted(painted, classes, (index) => labels[index]?.color ?? [0, 0, 0], labels.length);
      const name = `gtFine/${subset}/${itemId(stem)}_gtFine`;
      await packed(`${name}_color.png`, color);
      await packed(`${name}_labelIds.png`, encodeNumbers(painted, classes, labels.length > 256));
      await packed(`${name}_instanceIds.png`, encodeNumbers(painted, instances, true));
    },
  }),
});

/** Kinds of number masks. If a dataset has several, only the first is read. */
const kinds = ['labelTrainIds', 'instanceIds', 'labelIds'] as const;
type Kind = (typeof kinds)[number];

interface MaskFile {
  readonly path: string;
  readonly subset: string;
  readonly id: string;
}

/** Masks of a dataset: `gtFine/<subset>/<id>_gtFine_<kind>.png` and the coarse ones. */
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

/** Reads Cityscapes: masks of label and instance numbers. Background pixels become no mask. */
const importCityscapes: DatasetReader = async (source, task_data, options) => {
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
    const frame = findFrame(task_data, [`${id}${imageEnding}.png`, `${id}.png`], subset, path);
    if (!frame) return report.invalid(path, 'the image', `image "${id}" is not in the task: its masks were left out`);
    const found = await readNumbers(path, frame, { source: view, report, sizes });
    if (!found) return undefined;
    const unknown = createUnknownValues(report, describeColor(false));
    const labelOf = (value: number): number => (value < labelStep ? value : Math.floor(value / labelStep));
    const add = createAnnotationAdder(task_data, report, path);
    for (const [value, { points, area }] of found) {
      const number = labelOf(value);
      const label = labels[number];
      if (!label) {
        // In training numbers, 255 means that a pixel is ignored.
        if (value !== nothing && !(isTrained && value === 255)) unknown.count(value, area);
        continue;
      }
      if (!isWanted(label, fileLabels.isStated || !isTrained ? number : -1, task_data)) continue;
      const attributes = crowdAttributes(value < labelStep, task_data.label(label.name));
      masks.add(add, points, { frame: frame.frame, label: label.name, attributes }, `number ${value}`);
    }
    unknown.finish(path, 'numbers belong to no label');
    return undefined;
  };

  await eachFile(files, task_data, options, importFile);
  sizes.finish();
};

/** Looks for masks in a gtFine folder with the suffixes of Cityscapes. */
const detectCityscapes = amongFiles((source) => {
  const view = stripTopFolder(source, (path) => /^(gtFine|gtCoarse|imgsFine)\//.test(path));
  const path = findMasks(view)?.files[0]?.path;
  if (path !== undefined) return { reason: `${path} is a number mask as in Cityscapes.`, confidence: 0.95 };
  const image = view.entries.find((entry) => entry.path.startsWith('imgsFine/leftImg8bit/'))?.path;
  return image === undefined
    ? null
    : { reason: `${image} is in the folder that Cityscapes uses for its images.`, confidence: 0.6 };
});

export const cityscapes = defineFormat({
  name: 'Cityscapes',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectCityscapes,
  read: importCityscapes,
  write: exportCityscapes,
});
