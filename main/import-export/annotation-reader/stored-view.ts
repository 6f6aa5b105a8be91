import type { Label } from '../../../preload/contract/schema/labels.ts';
import { createAnnotationChecks } from '../../formats/kit/annotation-checks.ts';
import { createFrameMatcher } from '../../formats/kit/frame-matcher.ts';
import type { FormatReport } from '../../formats/kit/report.ts';
import type { DrawnTrack, FrameInfo, LabeledShape, TaskData, TaskMeta } from '../../formats/kit/task-data.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRow } from '../../work/tables/job-repository.ts';
import { countsInTask } from '../../work/jobs/job-rules.ts';
import { labelOwner } from '../../work/tables/label-repository.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import type { AnnotationSink } from './annotation-sink.ts';
import type { OriginalImages } from './original-images.ts';
import { createShapeNames, labelInfo } from './shape-names.ts';
import { projectMeta, taskMeta } from './view-meta.ts';
import { createTaskReader, type FrameChoice } from './task-reader.ts';
import type { WorkerContext } from '../bulk-writer/worker-context.ts';

export interface DatasetTarget {
  readonly kind: 'project' | 'task' | 'job';
  readonly id: number;
  /** Uses this set, which belongs to no job, instead of the task's annotations. */
  readonly setId?: number;
}

const gone = (target: DatasetTarget) => new AppError('not-found', `The ${target.kind} was deleted in the meantime.`);

/** One task of a dataset: its row, its media, and its jobs (all, or the exported one). */
function openPart(
  context: WorkerContext,
  task: TaskRow,
  { jobId = null, setId }: { readonly jobId?: number | null; readonly setId?: number | undefined },
  choice?: FrameChoice,
) {
  const { media, jobs, labels, datasets, annotations } = context;
  const mediaRow = task.media_id === null ? undefined : media.get(task.media_id);
  if (!mediaRow) return null;
  const chosen = jobs.ofTask(task.id).filter((job) => (jobId === null ? countsInTask(job) : job.id === jobId));
  const meta = taskMeta(context, task, mediaRow, chosen, jobId === null ? 'task' : 'job');
  const names = createShapeNames(labels.list(labelOwner(task.project_id, task.id)));
  const reader = createTaskReader({
    taskId: task.id,
    mediaId: mediaRow.id,
    jobs: setId === undefined ? chosen : asOne(chosen),
    subset: meta.subset,
    names,
    datasets: setId === undefined ? datasets : { ...datasets, ...datasets.ofSet(setId) },
    annotations,
    media,
    choice,
    // Honeypots repeat frames of the validation pool, which the task has too.
    leftOut: jobId === null ? media.honeypots(mediaRow.id).map(({ frame }) => frame) : [],
  });
  return { task, media: mediaRow, jobs: chosen, meta, reader };
}
type Part = NonNullable<ReturnType<typeof openPart>>;

/** Replaces the jobs by one with the frames of all. */
function asOne(jobs: readonly JobRow[]): readonly JobRow[] {
  const [first] = jobs;
  if (!first) return [];
  const [start, stop] = [jobs.map((job) => job.start_frame), jobs.map((job) => job.stop_frame)];
  return [{ ...first, start_frame: Math.min(...start), stop_frame: Math.max(...stop) }];
}

export function openParts(
  context: WorkerContext,
  target: DatasetTarget,
  choice?: FrameChoice,
): { meta: TaskMeta; parts: Part[] } {
  const { tasks, jobs, projects } = context;
  if (target.kind === 'project') {
    const project = projects.get(target.id);
    if (!project) throw gone(target);
    const parts = tasks.idsOfProject(target.id).flatMap((id) => {
      const task = tasks.get(id);
      return (task && openPart(context, task, {}, choice)) ?? [];
    });
    return {
      meta: projectMeta(
        context,
        project,
        parts.map((part) => part.meta),
      ),
      parts,
    };
  }
  const job = target.kind === 'job' ? jobs.get(target.id) : undefined;
  const task = tasks.get(target.kind === 'job' ? (job?.task_id ?? -1) : target.id);
  const part = task && openPart(context, task, { jobId: job?.id ?? null, setId: target.setId }, choice);
  if (!part) throw gone(target);
  return { meta: part.meta, parts: [part] };
}

function tellLeftOut(parts: readonly Part[], report: FormatReport): void {
  const [shown = 0, all = 0] = (['frameCount', 'wholeCount'] as const).map((count) =>
    parts.reduce((sum, { reader }) => sum + reader[count], 0),
  );
  if (shown === 0) {
    throw new AppError('invalid', 'No frame has annotations, so the file would be empty. Export all frames instead.');
  }
  if (shown < all) report.warn(`Only frames with annotations are in the file: ${shown} of ${all}.`);
}

/**
 * View of a stored task, job or project for format plug-ins, read row by row and frame by frame. With a sink it accepts
 * objects of an import; without one, `add_*` throws.
 */
export function createStoredView(
  context: WorkerContext,
  target: DatasetTarget,
  options: {
    readonly images: OriginalImages;
    readonly report: FormatReport;
    readonly sink?: AnnotationSink;
    /** Frames of the view; default: all. */
    readonly choice?: FrameChoice;
    /** Labels after the import, including those it creates. */
    readonly labels?: readonly Label[];
    /** True if objects may be outside their frames: predictions are scored unchanged. */
    readonly takesOutside?: boolean;
  },
): TaskData {
  const { meta: stored, parts } = openParts(context, target, options.choice);
  const meta = options.labels ? { ...stored, labels: options.labels.map(labelInfo) } : stored;
  const labelsByName = new Map(meta.labels.map((label) => [label.name, label]));
  const [only] = parts;
  const partOf = (frame: FrameInfo) => parts.find((part) => part.task.id === frame.task_id);
  const frameInfo = (number: number) => only?.reader.frame(number);
  const checks = createAnnotationChecks({
    labels: meta.labels,
    hasFrame: (frame) => only?.reader.hasFrame(frame) ?? false,
    sizeOf: options.takesOutside === true ? undefined : (frame) => only?.reader.size(frame),
    report: options.report,
  });
  // Reported here once, for all formats.
  if (!options.sink) {
    for (const { label, count } of parts.flatMap((part) => [...part.reader.lostKeyframes()])) {
      options.report.dropped('keyframe', label, 'Its frame is deleted, so the keyframe does not count.', count);
    }
  }
  if (options.choice === 'annotated') tellLeftOut(parts, options.report);
  const sink = () => {
    if (!options.sink) throw new AppError('internal', 'This task is read only: an exporter cannot add to it.');
    return options.sink;
  };

  function* each<Item>(read: (part: Part) => Iterable<Item>): Generator<Item> {
    for (const part of parts) yield* read(part);
  }
  /** Frame numbers of a project are relative to each task, so its objects state their task. */
  const inProject = meta.kind === 'project';
  function* withTask<Item extends object>(read: (part: Part) => Iterable<Item>): Generator<Item> {
    for (const part of parts) {
      for (const item of read(part)) yield inProject ? { ...item, task_id: part.task.id } : item;
    }
  }

  function* drawnTracks(): Generator<DrawnTrack> {
    for (const part of parts) {
      for (const { track, frames } of part.reader.tracks()) {
        yield { track: inProject ? { ...track, task_id: part.task.id } : track, frames };
      }
    }
  }

  /** Shapes are modified in place, because copying would decode the points. */
  function* shapes(): Generator<LabeledShape> {
    for (const part of parts) {
      for (const shape of part.reader.shapes()) {
        yield inProject ? Object.assign(shape, { task_id: part.task.id }) : shape;
      }
    }
  }

  return {
    meta,
    get shapes() {
      return shapes();
    },
    get tracks() {
      return withTask((part) => part.reader.tracks().map(({ track }) => track));
    },
    get drawn_tracks() {
      return drawnTracks();
    },
    get tags() {
      return withTask((part) => part.reader.tags());
    },
    get frames() {
      return each((part) => part.reader.frames());
    },
    frame_count: parts.reduce((sum, part) => sum + part.reader.frameCount, 0),
    group_by_frame: (include_empty = true) => each((part) => part.reader.grouped(include_empty)),
    async frame_image(frame) {
      const part = partOf(frame);
      const row = part?.reader.frameRow(frame.frame);
      return part && row ? options.images.image(part.task.id, part.media, row, part.reader.chosen) : null;
    },
    ...createFrameMatcher({
      frames: () => each((part) => part.reader.frames()),
      subsets: parts.map((part) => part.meta.subset),
      isVideo: meta.mode === 'interpolation',
      startFrame: meta.start_frame,
      frameStep: meta.frame_step,
    }),
    frame_info: frameInfo,
    label: (name) => labelsByName.get(name),
    add_tag: (tag) => sink().addTag(checks.tag(tag)),
    add_shape: (shape) => sink().addShape(checks.shape(shape)),
    add_track: (track) => sink().addTrack(checks.track(track)),
  };
}
