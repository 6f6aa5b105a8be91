import { boxExtent } from '../kit/box-extent.ts';
import { boxProblem, createCarrier } from '../kit/carried.ts';
import { type ArchiveItem, writeItemArchive } from '../kit/item-archive.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { oneLine } from '../kit/mask-files/label-colors.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { Frame, LabeledShape, TaskData } from '../kit/task-data.ts';
import { readNumber } from '../kit/yolo-family/box-row.ts';
import { firstFrameOf, numberOfName } from './frames.ts';

const format = 'MOT';

/**
 * Numbers of frames: the images' own, where every image is called by another number; else counted from 1. Those of a
 * project are counted through all of its tasks.
 */
function createFrameNumbers(task_data: TaskData): (frame: Frame) => number {
  const seen = new Set<number>();
  let areNumbers = true;
  for (const { name } of task_data.frames) {
    const number = numberOfName(name);
    if (number === undefined || seen.has(number)) {
      areNumbers = false;
      break;
    }
    seen.add(number);
  }
  const first = firstFrameOf(task_data);
  let count = 0;
  return (frame) => {
    count += 1;
    if (areNumbers) return numberOfName(frame.name) ?? count;
    return task_data.meta.kind === 'project' ? count : frame.frame - first + 1;
  };
}

/** Numbers of tracks from 1, in the order in which they are seen. */
function createTrackNumbers(): (shape: LabeledShape) => number {
  const numbers = new Map<string, number>();
  return ({ track_id: trackId, task_id: taskId }) => {
    if (trackId === undefined) return -1;
    const key = `${taskId ?? ''} ${trackId}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
}

function valueOf({ attributes }: LabeledShape, name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value;
}

/** The share of the object that is seen, 0 to 1, where an attribute states it. */
function statedVisibility(shape: LabeledShape): number | undefined {
  const value = readNumber(valueOf(shape, 'visibility'));
  return value >= 0 && value <= 1 ? value : undefined;
}

/** MOT: a row for each box, on every frame on which it is seen, in one file; tracks have numbers, other boxes -1. */
export const exportMot: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const labels = new Map(task_data.meta.labels.map(({ name }, index) => [name, index + 1]));
  const notes = createLossNotes(report, format, {
    attributes: new Set(['ignored', 'visibility']),
    occluded: true,
  });
  const frameNumber = createFrameNumbers(task_data);
  const trackNumber = createTrackNumbers();
  let trackCount = 0;
  for (const { label, shapes } of task_data.tracks) {
    trackCount += 1;
    if (shapes.some(({ type }) => type === 'rectangle')) report.carried('track', label);
    else report.lost('track', label, `${format} has boxes only.`);
  }
  if (trackCount > 0) report.warn(`${format} has no keyframes: every frame on which a track is seen becomes one.`);

  const carrier = createCarrier(report, notes);
  const problemOf = (shape: LabeledShape): string | undefined =>
    boxProblem(shape, format) ?? (labels.has(shape.label) ? undefined : 'The label is not a label of the task.');

  const rowOf = (shape: LabeledShape, number: number): string => {
    const { label } = shape;
    const stated = statedVisibility(shape);
    if (stated === undefined && valueOf(shape, 'visibility') !== undefined)
      report.lost('attribute', label, `${format} has a visibility from 0 to 1.`);
    if (stated !== undefined && stated <= 0 !== shape.occluded)
      report.lost(
        shape.type,
        label,
        `${format} has one number for "occluded" and the visibility: the visibility counts.`,
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
      for (const { label } of frame.tags) report.lost('tag', label, `${format} has boxes only.`);
      for (const shape of carrier.shapes(frame.labeled_shapes, problemOf)) rows.text(rowOf(shape, number));
      return [`img1/${image}`];
    },
    async finish({ spill }) {
      spill.open('gt/gt.txt');
      spill.open('gt/labels.txt').text(task_data.meta.labels.map(({ name }) => oneLine(name, report)).join('\n'));
    },
  });
};
