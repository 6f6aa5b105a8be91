import type {
  DrawnTrack,
  Frame,
  FrameInfo,
  LabeledShape,
  LabelInfo,
  Tag,
  TaskData,
} from '../../formats/kit/task-data.ts';
import { AppError } from '../../platform/errors.ts';
import type { DatasetTarget } from '../../import-export/annotation-reader/stored-view.ts';
import type { EvaluatedPart, EvaluateJob } from './evaluation-work.ts';

/** Frame and task of each image. */
export interface FrameNumbers {
  readonly frames: Uint32Array;
  readonly tasks: Uint32Array;
}

/** Image index of a frame. */
export interface FramePlace {
  readonly image: number;
  readonly width: number;
  readonly height: number;
}

export interface MeasuredView {
  readonly frames: Iterable<FrameInfo>;
  readonly shapes: Iterable<Pick<LabeledShape, 'frame'>>;
  readonly tags: Iterable<Pick<Tag, 'frame' | 'label'>>;
  readonly drawn_tracks: Iterable<DrawnTrack>;
  group_by_frame(include_empty?: boolean): Iterable<Pick<Frame, 'frame' | 'labeled_shapes'>>;
}

export interface MeasuredViews {
  readonly truth: MeasuredView;
  readonly labels: readonly LabelInfo[];
  readonly models: readonly MeasuredView[];
  readonly places: ReadonlyMap<number, FramePlace>;
  /** The same frames as frame numbers of their tasks. */
  readonly frames: FrameNumbers;
}

/**
 * @param open reads a task, a job, or a task's prediction set
 * @throws AppError 400 if nothing is left to compare
 */
export function openViews(job: EvaluateJob, open: (target: DatasetTarget) => TaskData): MeasuredViews {
  const { parts } = job;
  const [first] = parts;
  if (!first) throw new AppError('invalid', 'Nothing to compare: no task has both ground truth and predictions.');
  const truths = parts.map(({ truth, frameCount }) => ({ view: open(truth), frameCount }));
  const known = truths[0]!.view.meta.labels;
  const labels = known.filter(({ name }) => job.labels === null || job.labels.includes(name));
  if (labels.length === 0) throw new AppError('invalid', 'Nothing to compare: none of the labels exists.');
  const truth = joinViews(truths);
  const places = new Map<number, FramePlace>();
  for (const { frame, width, height } of truth.frames) {
    if (job.frames !== null && (frame < job.frames.first || frame > job.frames.last)) continue;
    places.set(frame, { image: places.size, width, height });
  }
  return {
    truth,
    labels,
    models: first.models.map((_, at) =>
      joinViews(parts.map(({ models, frameCount }) => ({ view: open(models[at]!), frameCount }))),
    ),
    places,
    frames: numbersOf(parts, places.keys()),
  };
}

/** @param given in the order of the views */
function numbersOf(parts: readonly EvaluatedPart[], given: Iterable<number>) {
  const ends: number[] = [];
  for (const { frameCount } of parts) ends.push((ends.at(-1) ?? 0) + frameCount);
  const [frames, tasks]: [number[], number[]] = [[], []];
  let part = 0;
  for (const frame of given) {
    while (frame >= (ends[part] ?? Infinity)) part += 1;
    frames.push(frame - (ends[part - 1] ?? 0));
    tasks.push((parts[part] ?? parts[0]!).taskId);
  }
  return { frames: Uint32Array.from(frames), tasks: Uint32Array.from(tasks) };
}

interface JoinedPart {
  readonly view: TaskData;
  /** Frames of the task, not of the view. */
  readonly frameCount: number;
}

/**
 * Concatenates tasks into one sequence with consecutive frame numbers, so that objects of different tasks are never
 * compared.
 */
function joinViews(parts: readonly JoinedPart[]): MeasuredView {
  const [only, ...more] = parts;
  if (only && more.length === 0) return only.view;
  let next = 0;
  const placed = parts.map(({ view, frameCount }) => {
    const start = next;
    next += frameCount;
    return { view, start };
  });
  function* moved<Item extends { readonly frame: number }>(read: (view: TaskData) => Iterable<Item>): Generator<Item> {
    for (const { view, start } of placed) {
      for (const item of read(view)) yield { ...item, frame: item.frame + start };
    }
  }
  /** Points are decoded lazily and not copied. */
  function* places(): Generator<{ readonly frame: number }> {
    for (const { view, start } of placed) for (const { frame } of view.shapes) yield { frame: frame + start };
  }
  function* tracks(): Generator<DrawnTrack> {
    for (const { view, start } of placed) {
      for (const { track, frames } of view.drawn_tracks) {
        yield {
          track,
          *frames() {
            for (const drawn of frames()) yield { ...drawn, frame: drawn.frame + start };
          },
        };
      }
    }
  }
  return {
    get frames() {
      return moved((view) => view.frames);
    },
    get shapes() {
      return places();
    },
    get tags() {
      return moved((view) => view.tags);
    },
    get drawn_tracks() {
      return tracks();
    },
    group_by_frame: (include_empty = true) => moved((view) => view.group_by_frame(include_empty)),
  };
}
