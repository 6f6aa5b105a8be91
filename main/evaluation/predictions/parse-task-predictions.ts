import { createFormatReport, type FormatReport } from '../../formats/kit/report.ts';
import type { TaskData, Track } from '../../formats/kit/task-data.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { sendingBatches, type ParseJob, type ParseOutcome } from '../../import-export/import/parse-and-write.ts';
import type { FrameSpan } from '../../import-export/bulk-writer/annotation-batch.ts';
import { withWorkerContext, type WorkerPaths } from '../../import-export/bulk-writer/worker-context.ts';
import { createAnnotationSink } from '../../import-export/annotation-reader/annotation-sink.ts';
import { withOriginalImages } from '../../import-export/annotation-reader/original-images.ts';
import { createStoredView } from '../../import-export/annotation-reader/stored-view.ts';
import { AppError } from '../../platform/errors.ts';
import { labelOwner } from '../../work/tables/label-repository.ts';

export interface ParsePredictionsOfTaskJob extends WorkerPaths {
  readonly taskId: number;
  readonly sourceTaskId: number;
  readonly span: FrameSpan;
}

/**
 * Reads a task's annotations as predictions for another task. Objects with a label or image that the other task lacks
 * are dropped.
 */
export function parsePredictionsOfTask(job: ParsePredictionsOfTaskJob & ParseJob, run: JobRun): Promise<ParseOutcome> {
  return sendingBatches(job, run, (send) =>
    withWorkerContext(job, run, async (context) => {
      const report = createFormatReport();
      const task = context.tasks.get(job.taskId);
      if (!task) throw new AppError('not-found', 'The task was deleted during the import.');
      const spans = { spans: [job.span], areOfOneTask: true };
      const sink = createAnnotationSink(context.labels.list(labelOwner(task.project_id, task.id)), spans, send);
      await withOriginalImages(job.dataDirectory, (images) => {
        const source = createStoredView(
          context,
          { kind: 'task', id: job.sourceTaskId },
          { images, report: createFormatReport() },
        );
        copyAll(
          source,
          createStoredView(context, { kind: 'task', id: job.taskId }, { images, report, sink, takesOutside: true }),
          report,
          run,
        );
        return Promise.resolve();
      });
      sink.end();
      return { summary: report.summary() };
    }),
  );
}

function copyAll(source: TaskData, target: TaskData, report: FormatReport, { checkCancelled }: JobRun): void {
  const frames = new Map<number, number | null>();
  const frameOf = (frame: number): number | null => {
    const known = frames.get(frame);
    if (known !== undefined) return known;
    const name = source.frame_info(frame)?.name;
    const found = target.match_frame({ frame, name });
    frames.set(frame, found);
    return found;
  };
  /** Frame in the target task; null if the object has no match there. */
  const place = (type: string, label: string, frame: number): number | null => {
    checkCancelled();
    const rule =
      target.label(label) === undefined ? 'The task has no label of this name.' : 'The task has no such image.';
    const found = target.label(label) === undefined ? null : frameOf(frame);
    if (found === null) report.dropped(type, label, rule);
    else report.included(type, label);
    return found;
  };
  for (const shape of source.shapes) {
    const frame = place(shape.type, shape.label, shape.frame);
    if (frame === null) continue;
    // Spreading does not copy getters, so `points` is named.
    const elements = shape.elements?.map((one) => ({ ...one, points: one.points, frame }));
    target.add_shape({ ...shape, points: shape.points, frame, elements });
  }
  for (const tag of source.tags) {
    const frame = place('tag', tag.label, tag.frame);
    if (frame !== null) target.add_tag({ ...tag, frame });
  }
  for (const track of source.tracks) {
    const first = place('track', track.label, track.shapes[0]?.frame ?? 0);
    const moved = first === null ? null : movedTrack(track, frameOf);
    if (moved) target.add_track(moved);
  }
}

function movedTrack(track: Track, frameOf: (frame: number) => number | null): Track | null {
  const shapes = track.shapes.flatMap((shape) => {
    const frame = frameOf(shape.frame);
    return frame === null ? [] : [{ ...shape, frame }];
  });
  if (shapes.length === 0) return null;
  const elements = (track.elements ?? []).flatMap((element) => movedTrack(element, frameOf) ?? []);
  return { ...track, shapes, elements: elements.length > 0 ? elements : undefined };
}
