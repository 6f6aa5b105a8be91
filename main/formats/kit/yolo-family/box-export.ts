import { boxProblem, createCarrier, createLossNotes, type LossNotes } from '../dropped-details.ts';
import type { FormatReport } from '../report.ts';
import type { Frame, LabeledShape, TaskData } from '../task-data.ts';
import { boxFields } from './box-row.ts';

interface RowWriting {
  readonly format: string;
  readonly notes: LossNotes;
  readonly names: readonly string[];
  /** Reason for dropping a shape with another label. */
  readonly unlabelled?: string;
  readonly problemOf: (shape: LabeledShape) => string | undefined;
  readonly fieldsOf: (shape: LabeledShape, frame: Frame) => string;
}

/** Creates the rows of a frame, one per shape, and counts exported and dropped ones. */
export function createShapeRows(
  report: FormatReport,
  { format, notes, names, unlabelled = 'The label is not a label of the task.', problemOf, fieldsOf }: RowWriting,
): (frame: Frame) => string[] {
  const classes = new Map(names.map((name, index) => [name, index]));
  const carrier = createCarrier(report, notes);
  return (frame) => {
    const isSized = frame.width > 0 && frame.height > 0;
    const problem = (shape: LabeledShape): string | undefined =>
      problemOf(shape) ??
      (isSized ? (classes.has(shape.label) ? undefined : unlabelled) : 'The size of the image is not known.');
    for (const { label } of frame.tags) report.dropped('tag', label, `${format} has no tags.`);
    return carrier
      .shapes(frame.labeled_shapes, problem)
      .map((shape) => `${classes.get(shape.label)} ${fieldsOf(shape, frame)}`);
  };
}

/** Creates the rows of boxes. With `trackIds`, boxes of tracks end with the track number. */
export function createBoxRows(
  task_data: TaskData,
  report: FormatReport,
  { format, trackIds }: { readonly format: string; readonly trackIds: boolean },
): (frame: Frame) => string[] {
  for (const { label } of trackIds ? [] : task_data.tracks)
    report.dropped('track', label, `${format} has no tracks: each visible frame of the track became a separate box.`);
  return createShapeRows(report, {
    format,
    notes: createLossNotes(report, format, { rotation: true }),
    names: task_data.meta.labels.map(({ name }) => name),
    problemOf: (shape) =>
      boxProblem(shape, format) ?? ((shape.rotation ?? 0) % 360 === 0 ? undefined : `${format} has no rotated boxes.`),
    fieldsOf: ({ points, track_id: track }, frame) =>
      `${boxFields(points, frame)}${trackIds && track !== undefined ? ` ${track}` : ''}`,
  });
}
