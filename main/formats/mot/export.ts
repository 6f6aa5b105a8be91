import { boxExtent } from '../kit/box-extent.ts';
import { boxProblem, createCarrier, createLossNotes } from '../kit/dropped-details.ts';
import { type ArchiveItem, writeItemArchive } from '../kit/item-archive.ts';
import { oneLine } from '../kit/mask-files/label-colors.ts';
import type { Exporter } from '../kit/plugin.ts';
import { createFrameNumbers, createTrackNumbers, reportTracks } from '../kit/numbered-frames.ts';
import { readNumber } from '../kit/short-decimals.ts';
import type { LabeledShape } from '../kit/task-data.ts';

const format = 'MOT';

function valueOf({ attributes }: LabeledShape, name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value;
}

/** Visible fraction of the object, 0 to 1, if an attribute states it. */
function statedVisibility(shape: LabeledShape): number | undefined {
  const value = readNumber(valueOf(shape, 'visibility'));
  return value >= 0 && value <= 1 ? value : undefined;
}

/** Writes MOT: one file with a row for each visible box on every frame. Tracks have numbers; other boxes have -1. */
export const exportMot: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const labels = new Map(task_data.meta.labels.map(({ name }, index) => [name, index + 1]));
  const notes = createLossNotes(report, format, {
    attributes: new Set(['ignored', 'visibility']),
    occluded: true,
  });
  const frameNumber = createFrameNumbers(task_data, 1);
  const trackNumber = createTrackNumbers(1);
  reportTracks(task_data, report, { format });
  const carrier = createCarrier(report, notes);
  const problemOf = (shape: LabeledShape): string | undefined =>
    boxProblem(shape, format) ?? (labels.has(shape.label) ? undefined : 'The label is not a label of the task.');

  const rowOf = (shape: LabeledShape, number: number): string => {
    const { label } = shape;
    const stated = statedVisibility(shape);
    if (stated === undefined && valueOf(shape, 'visibility') !== undefined)
      report.dropped('attribute', label, `${format} has a visibility from 0 to 1.`);
    if (stated !== undefined && stated <= 0 !== shape.occluded)
      report.dropped(
        shape.type,
        label,
        `${format} has one number for "occluded" and the visibility: the visibility was written.`,
      );
    const visibility = stated ?? (shape.occluded ? 0 : 1);
    const isIgnored = valueOf(shape, 'ignored')?.toLowerCase() === 'true';
    const box = boxExtent(shape.points).join(',');
    const shown = Number.isInteger(visibility) ? visibility.toFixed(1) : String(visibility);
    return `${number},${trackNumber(shape)},${box},${isIgnored ? 0 : 1},${labels.get(label) ?? 0},${shown}\n`;
  };

  await writeItemArchive(file_object, task_data, options, {
    format,
    hasNumbers: true,
    async addItem({ frame, image }: ArchiveItem, { spill }) {
      const number = frameNumber(frame);
      const rows = spill.open('gt/gt.txt');
      for (const { label } of frame.tags) report.dropped('tag', label, `${format} has boxes only.`);
      for (const shape of carrier.shapes(frame.labeled_shapes, problemOf)) rows.text(rowOf(shape, number));
      return [`img1/${image}`];
    },
    async finish({ spill }) {
      spill.open('gt/gt.txt');
      spill.open('gt/labels.txt').text(task_data.meta.labels.map(({ name }) => oneLine(name, report)).join('\n'));
    },
  });
};
