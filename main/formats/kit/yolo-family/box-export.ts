import { createLossNotes } from '../lost-details.ts';
import type { FormatReport } from '../report.ts';
import type { Frame, LabeledShape, TaskData } from '../task-data.ts';
import { boxFields } from './box-row.ts';

export interface BoxRowsOptions {
  /** The format's name, for sentences. */
  readonly format: string;
  readonly trackIds: boolean;
}

/** Why a shape has no row, or undefined. */
function problemOf(format: string, shape: LabeledShape, frame: Frame): string | undefined {
  if (shape.type !== 'rectangle') return `${format} has boxes only.`;
  if ((shape.rotation ?? 0) % 360 !== 0) return `${format} has no rotated boxes.`;
  if (!(frame.width > 0 && frame.height > 0)) return 'The size of the image is not known.';
  if (shape.points.length !== 4 || !shape.points.every(Number.isFinite))
    return 'Its coordinates are not four finite numbers.';
  return undefined;
}

/** Makes the rows of a frame, counting what is carried and what is not. */
export function createBoxRows(
  task_data: TaskData,
  report: FormatReport,
  { format, trackIds }: BoxRowsOptions,
): (frame: Frame) => string[] {
  const classes = new Map(task_data.meta.labels.map(({ name }, index) => [name, index]));
  const notes = createLossNotes(report, format, { rotation: true });
  if (!trackIds) {
    for (const { label } of task_data.tracks)
      report.lost('track', label, `${format} has no tracks: each visible frame of the track became a box of its own.`);
  }
  return (frame) => {
    const rows: string[] = [];
    for (const tag of frame.tags) report.lost('tag', tag.label, `${format} has no tags.`);
    for (const shape of frame.labeled_shapes) {
      if (shape.track_id !== undefined && shape.outside === true) continue;
      const problem = problemOf(format, shape, frame);
      const classIndex = classes.get(shape.label);
      if (problem !== undefined || classIndex === undefined) {
        report.lost(shape.type, shape.label, problem ?? 'The label is not a label of the task.');
        continue;
      }
      const track = trackIds && shape.track_id !== undefined ? ` ${shape.track_id}` : '';
      rows.push(`${classIndex} ${boxFields(shape.points, frame)}${track}`);
      notes.shape(shape);
      report.carried(shape.type, shape.label);
    }
    return rows;
  };
}
