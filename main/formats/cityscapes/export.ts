import { withoutExtension } from '../kit/dataset-items.ts';
import type { PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { numberInstances } from '../kit/mask-files/instance-numbers.ts';
import { writeLabelColors } from '../kit/mask-files/label-colors.ts';
import { labelColorsFile } from '../kit/mask-files/label-file.ts';
import { createPaintedExporter } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted, encodePng } from '../kit/mask-files/png-writer.ts';

const format = 'Cityscapes';
const labelStep = 1000;
const largest = 65_535;

/** The names of images end so; in the names of masks another ending takes its place. */
export const imageEnding = '_leftImg8bit';

function itemId(stem: string): string {
  return stem.endsWith(imageEnding) ? stem.slice(0, -imageEnding.length) : stem;
}

/** Numbers of labels: one byte each while that is enough. */
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
 * Cityscapes: for each image the numbers of its labels, of its instances (label · 1000 + instance; crowds have the
 * label's number), and its labels in colours. The file of colours names the labels in the order of their numbers.
 */
export const exportCityscapes = createPaintedExporter({
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
