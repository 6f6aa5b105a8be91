import { boxProblem, createCarrier, createLossNotes, type LossNotes } from '../lost-details.ts';
import type { FormatReport } from '../report.ts';
import type { Frame, LabeledShape, TaskData } from '../task-data.ts';
import { boxFields } from './box-row.ts';

interface RowWriting {
  /** The format's name, for sentences. */
  readonly format: string;
  readonly notes: LossNotes;
  /** Names of the labels, by the numbers of their classes. */
  readonly names: readonly string[];
  /** Why a shape with another label has no row. */
  readonly unlabelled?: string;
  /** Why a shape has no row, or undefined. */
  readonly problemOf: (shape: LabeledShape) => string | undefined;
  /** The fields behind the class. */
  readonly fieldsOf: (shape: LabeledShape, frame: Frame) => string;
}

/** Makes the rows of a frame, one for each shape, counting what is carried and what is not. */
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
    for (const { label } of frame.tags) report.lost('tag', label, `${format} has no tags.`);
    return carrier
      .shapes(frame.labeled_shapes, problem)
      .map((shape) => `${classes.get(shape.label)} ${fieldsOf(shape, frame)}`);
  };
}

/** Makes the rows of boxes; those of tracks have their number behind them where `trackIds` says so. */
export function createBoxRows(
  task_data: TaskData,
  report: FormatReport,
  { format, trackIds }: { readonly format: string; readonly trackIds: boolean },
): (frame: Frame) => string[] {
  for (const { label } of trackIds ? [] : task_data.tracks)
    report.lost('track', label, `${format} has no tracks: each visible frame of the track became a box of its own.`);
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
