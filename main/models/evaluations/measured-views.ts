import type { LabelInfo, TaskData } from '../../formats/kit/task-data.ts';
import { AppError } from '../../platform/errors.ts';
import type { DatasetTarget } from '../../transfer/view/stored-view.ts';
import type { FrameNumbers } from './cells.ts';
import type { EvaluatedPart } from './evaluation-work.ts';
import { joinViews, type MeasuredView } from './joined-view.ts';

type FrameColumns = { readonly [Name in keyof FrameNumbers]: Uint32Array };

/** Truth and predictions of all that is measured together. */
export interface MeasuredViews {
  readonly truth: MeasuredView;
  readonly labels: readonly LabelInfo[];
  readonly models: readonly MeasuredView[];
  /** Frames of the views as numbers of their tasks, with these tasks. */
  readonly tasksOf: (frames: Iterable<number>) => FrameColumns;
}

/** @param open reads a task, a job, or a set of a task */
export function openViews(parts: readonly EvaluatedPart[], open: (target: DatasetTarget) => TaskData): MeasuredViews {
  const [first] = parts;
  if (!first) throw new AppError('invalid', 'No task has both a truth and predictions: nothing can be compared.');
  const truths = parts.map(({ truth, frameCount }) => ({ view: open(truth), frameCount }));
  const ends: number[] = [];
  for (const { frameCount } of parts) ends.push((ends.at(-1) ?? 0) + frameCount);
  return {
    truth: joinViews(truths),
    labels: truths[0]!.view.meta.labels,
    models: first.models.map((_, at) =>
      joinViews(parts.map(({ models, frameCount }) => ({ view: open(models[at]!), frameCount }))),
    ),
    tasksOf(given) {
      const [frames, tasks]: [number[], number[]] = [[], []];
      let part = 0;
      // They come in the order of the views.
      for (const frame of given) {
        while (frame >= (ends[part] ?? Infinity)) part += 1;
        frames.push(frame - (ends[part - 1] ?? 0));
        tasks.push(parts[part]?.taskId ?? first.taskId);
      }
      return { frames: Uint32Array.from(frames), tasks: Uint32Array.from(tasks) };
    },
  };
}
