import type { Label } from '../../../preload/contract/schema/labels.ts';
import { createFormatReport, type FormatReport } from '../../formats/kit/report.ts';
import type { LabeledShape, TaskData } from '../../formats/kit/task-data.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { sendingBatches, type ParseJob, type ParseOutcome } from '../import/parse-and-write.ts';
import { withWorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';
import { createAnnotationSink, type AnnotationSink } from '../annotation-reader/annotation-sink.ts';
import { createStoredView } from '../annotation-reader/stored-view.ts';

export interface ParseFramesJob extends WorkerPaths {
  readonly sourceTaskId: number;
  /** Frame numbers in the task, ascending. The first one becomes frame 0. */
  readonly frames: readonly number[];
  readonly labels: readonly Label[];
  /** True if the shapes of a track form a group. */
  readonly trackGroups: boolean;
}

/**
 * Sends the visible annotations of the frames to the writer thread: shapes and tags unchanged, and the shapes of
 * tracks.
 */
export function parseFrames(job: ParseFramesJob & ParseJob, run: JobRun): Promise<ParseOutcome> {
  const { sourceTaskId, frames, labels, databaseFile, dataDirectory } = job;
  return sendingBatches(job, run, (send) =>
    withWorkerContext({ databaseFile, dataDirectory }, run, (context) => {
      context.database.beginSnapshot();
      const report = createFormatReport();
      const last = frames.length - 1;
      const spans = [{ firstFrame: 0, lastFrame: last }];
      const sink = createAnnotationSink(labels, { spans, areOfOneTask: true }, send);
      const view = createStoredView(
        context,
        { kind: 'task', id: sourceTaskId },
        // Messages about exports of the video do not apply to single frames, so they are discarded.
        { images: { image: async () => null }, report: createFormatReport(), choice: new Set(frames) },
      );
      copyFrames(view, job, { sink, report, run });
      sink.end();
      context.database.endSnapshot();
      return { summary: report.summary() };
    }),
  );
}

interface Copying {
  readonly sink: AnnotationSink;
  readonly report: FormatReport;
  readonly run: JobRun;
}

function copyFrames(view: TaskData, job: ParseFramesJob, { sink, report, run }: Copying): void {
  const places = new Map(job.frames.map((frame, place) => [frame, place]));
  const known = new Set(job.labels.map(({ name }) => name));
  const groups = createTrackGroups(view, job.trackGroups, report);
  const checked = (label: string): void => {
    if (!known.has(label)) throw changedMeanwhile();
  };
  for (const { frame: number, labeled_shapes: shapes, tags } of view.group_by_frame(false)) {
    const frame = places.get(number) ?? 0;
    for (const shape of shapes) {
      checked(shape.label);
      const group = groups(shape);
      // Modified in place, because copying would decode the points.
      sink.addShape(Object.assign(shape, { frame, group }));
      report.included(shape.type, shape.label);
    }
    for (const tag of tags) {
      checked(tag.label);
      sink.addTag({ ...tag, frame });
      report.included('tag', tag.label);
    }
    run.progress((frame + 1) / job.frames.length);
  }
}

const lostTrack =
  'Its shapes are exported separately for each frame: their connection as one object is lost. To preserve it, keep tracks as groups.';
const becameGroup = 'The shapes of a track form a group, so the group of the track is lost.';

/** Group of each shape. Shapes of a track get a new group after all existing ones. */
function createTrackGroups(view: TaskData, keepsTracks: boolean, report: FormatReport) {
  let lastGroup = 0;
  for (const { group } of [view.shapes, view.tags].flatMap((items) => [...groupsOf(items)])) {
    lastGroup = Math.max(lastGroup, group);
  }
  const ofTracks = new Map<number, number>();
  return ({ track_id: track, group, label }: LabeledShape): number => {
    if (track === undefined) return group;
    const given = ofTracks.get(track);
    if (given !== undefined) return keepsTracks ? given : group;
    if (!keepsTracks) report.dropped('track', label, lostTrack);
    else if (group !== 0) report.dropped('group', label, becameGroup);
    lastGroup += 1;
    ofTracks.set(track, lastGroup);
    return keepsTracks ? lastGroup : group;
  };
}

function* groupsOf(items: Iterable<{ readonly group: number }>): Generator<{ readonly group: number }> {
  for (const { group } of items) if (group !== 0) yield { group };
}

const changedMeanwhile = () =>
  new AppError(
    'conflict',
    'The labels were changed while the frames were copied. Nothing was created; start it again.',
  );
