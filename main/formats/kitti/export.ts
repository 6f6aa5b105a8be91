import { createLossNotes } from '../kit/dropped-details.ts';
import type { PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { numberInstances } from '../kit/mask-files/instance-numbers.ts';
import { oneLine, writeLabelColors } from '../kit/mask-files/label-colors.ts';
import { labelColorsFile } from '../kit/mask-files/label-file.ts';
import { createPaintedExporter } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted, encodePng } from '../kit/mask-files/png-writer.ts';
import type { ArchiveFiles, ArchiveItem } from '../kit/item-archive.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { writeKittiRow } from './box-row.ts';

const format = 'KITTI';
const largestByte = 255;

/** Unrotated boxes are written to label files; other shapes with an area are painted. */
function isBox({ type, rotation = 0 }: LabeledShape): boolean {
  return type === 'rectangle' && rotation % 360 === 0;
}

const numbering = {
  format,
  perLabel: largestByte,
  numberOf: (label: number, instance: number): number => (label << 8) + instance,
  crowdOf: (label: number): number => label << 8,
};

/**
 * Writes KITTI: boxes as rows of label files; other shapes with an area as images of instance numbers (label · 256 +
 * instance), of label numbers, and of label colors.
 */
export const exportKitti = createPaintedExporter({
  format,
  attributes: new Set(['is_crowd']),
  colors: { file: labelColorsFile, hasFields: true, write: writeLabelColors },
  files({ report, labels, numberOf }) {
    const boxNotes = createLossNotes(report, format, {
      attributes: new Set(['truncated']),
      occluded: true,
      score: true,
      rotation: true,
    });
    const byteOf = (name: string): number => (numberOf(name) <= largestByte ? numberOf(name) : 0);

    const addBoxes = async ({ frame, subset, stem }: ArchiveItem, { text }: ArchiveFiles): Promise<void> => {
      const rows: string[] = [];
      for (const shape of frame.labeled_shapes) {
        if (!isBox(shape)) continue;
        if (shape.points.length !== 4 || !shape.points.every(Number.isFinite)) {
          report.dropped('rectangle', shape.label, 'Its coordinates are not four finite numbers.');
          continue;
        }
        boxNotes.shape(shape);
        rows.push(`${writeKittiRow({ ...shape, points: shape.points, label: oneLine(shape.label, report) })}\n`);
        report.included('rectangle', shape.label);
      }
      if (rows.length > 0) await text(`${subset}/label_2/${stem}.txt`, rows.join(''));
    };

    const addMasks = async (
      { subset, stem }: ArchiveItem,
      painted: PaintedFrame,
      { packed }: ArchiveFiles,
    ): Promise<void> => {
      const { width, height, instances } = painted;
      for (const { leader } of instances) {
        if (numberOf(leader.label) > largestByte)
          report.dropped(leader.type, leader.label, `${format} has numbers for ${largestByte} labels in mask images.`);
      }
      const instanceNumbers = numberInstances(painted, byteOf, numbering, report);
      const classes = mapInstances(painted, ({ leader }) => byteOf(leader.label));
      const wide = mapInstances(painted, (_, place) => instanceNumbers[place] ?? 0);
      const colorOf = (index: number) => labels[index]?.color ?? ([0, 0, 0] as const);
      const grey = encodePng({ kind: 'grey8', width, height, pixels: Uint8Array.from(classes) });
      const numbers = encodePng({ kind: 'grey16', width, height, pixels: Uint16Array.from(wide) });
      const colors = Math.min(largestByte + 1, labels.length);
      await packed(`${subset}/semantic_rgb/${stem}.png`, encodePainted(painted, classes, colorOf, colors));
      await packed(`${subset}/semantic/${stem}.png`, grey);
      await packed(`${subset}/instance/${stem}.png`, numbers);
    };

    return {
      painting: { paints: (shape) => !isBox(shape) },
      imagePath: ({ subset, image }) => `${subset}/image_2/${image}`,
      async add(item, painted, files) {
        await addBoxes(item, files);
        if (painted) await addMasks(item, painted, files);
      },
    };
  },
});
