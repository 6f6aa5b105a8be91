import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { createAnnotationChecks } from '../../../formats/kit/annotation-checks.ts';
import { createFormatReport, type FormatReport } from '../../../formats/kit/report.ts';
import type { FrameInfo, TaskData } from '../../../formats/kit/task-data.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { sendingBatches, type ParseJob, type ParseOutcome } from '../../import/parse-and-write.ts';
import { runImporter } from '../../import/run-importer.ts';
import type { FrameSpan } from '../../bulk-writer/annotation-batch.ts';
import { createAnnotationSink, type AnnotationSink } from '../../annotation-reader/annotation-sink.ts';
import { createEmptyView } from '../../annotation-reader/empty-view.ts';
import { labelInfo } from '../../annotation-reader/shape-names.ts';
import { applyDatasetChoices, type DatasetFile } from './dataset-choices.ts';
import { matchKey } from './inspect-dataset.ts';

export interface ParseDatasetJob extends DatasetFile {
  readonly labels: readonly Label[];
  /** Numbered across all new tasks in sequence. */
  readonly frames: readonly FrameInfo[];
  /** Frame number by the name in the annotations; see {@link matchKey}. */
  readonly matches: ReadonlyMap<string, number>;
  /** Frames of each task, in the writer's order. */
  readonly spans: readonly FrameSpan[];
}

/** Parses the annotations of a dataset and sends them to the writer thread. */
export function parseDataset(job: ParseDatasetJob & ParseJob, run: JobRun): Promise<ParseOutcome> {
  return sendingBatches(job, run, async (send) => {
    const report = createFormatReport();
    const sink = createAnnotationSink(job.labels, { spans: job.spans, areOfOneTask: false }, send);
    await runImporter(job, applyDatasetChoices(job, createNewTasksView(job, report, sink), report), run);
    sink.end();
    return { summary: report.summary() };
  });
}

const videoFrame = /(?:^|\/)frame_(\d+)\.\w+$/;

/**
 * Source numbers of the frames of an exported video: its images are named `frame_000120.PNG`, and its tracks use the
 * same numbers.
 */
function numbering(frames: readonly FrameInfo[]): { start: number; step: number } {
  const numbers = frames.slice(0, 2).map(({ name }) => Number(videoFrame.exec(name)?.[1] ?? Number.NaN));
  const [first = 0, second = first + 1] = numbers;
  const step = second - first;
  const isUniform =
    step > 0 && frames.every(({ name }, index) => Number(videoFrame.exec(name)?.[1]) === first + index * step);
  return isUniform ? { start: first, step } : { start: 0, step: 1 };
}

/** The tasks that a dataset becomes, as its importer sees them. */
function createNewTasksView(
  { frames, labels, matches }: ParseDatasetJob,
  report: FormatReport,
  sink: AnnotationSink,
): TaskData {
  const infos = labels.map(labelInfo);
  const checks = createAnnotationChecks({
    labels: infos,
    hasFrame: (frame) => frames[frame] !== undefined,
    sizeOf: (frame) => frames[frame],
    report,
  });
  const { start, step } = numbering(frames);
  return createEmptyView(
    {
      size: frames.length,
      start_frame: start,
      stop_frame: start + Math.max(0, frames.length - 1) * step,
      frame_step: step,
      labels: infos,
    },
    {
      frames,
      frame_count: frames.length,
      match_frame: (item) => matches.get(matchKey(item)) ?? null,
      frame_info: (frame) => frames[frame],
      add_tag: (tag) => sink.addTag(checks.tag(tag)),
      add_shape: (shape) => sink.addShape(checks.shape(shape)),
      add_track: (track) => sink.addTrack(checks.track(track)),
    },
  );
}
