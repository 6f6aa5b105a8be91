import type { Track as StoredTrack } from '../../../preload/contract/schema/annotations.ts';
import type { Frame, FrameInfo, LabeledShape, Tag, Track } from '../../formats/task-data.ts';
import type { AnnotationRepository } from '../annotations/annotation-repository.ts';
import { typeCode } from '../annotations/annotation-rows.ts';
import { mergeJobs } from '../annotations/merge-jobs.ts';
import type { JobRow } from '../jobs/job-repository.ts';
import { jobFrames } from '../jobs/job-rules.ts';
import type { FrameRow, MediaRepository } from '../tasks/media-repository.ts';
import { integerColumn } from './annotation-batch.ts';
import type { DatasetRepository } from './dataset-repository.ts';
import type { ShapeNames } from './shape-names.ts';
import type { StoredShapeBatch } from './stored-shape-batch.ts';

export interface TaskReaderOptions {
  readonly taskId: number;
  readonly mediaId: number;
  /** All jobs of the task, or the one that is exported. */
  readonly jobs: readonly JobRow[];
  readonly subset: string;
  readonly names: ShapeNames;
  readonly datasets: DatasetRepository;
  readonly annotations: AnnotationRepository;
  readonly media: MediaRepository;
}

/** Frames read at once. */
const framePage = 2000;

/** Reads one task, or one job of it, frame by frame. Frame numbers are task-relative. */
export function createTaskReader(options: TaskReaderOptions) {
  const { taskId, mediaId, subset, names, datasets, annotations, media } = options;
  const jobs = options.jobs.toSorted((a, b) => a.start_frame - b.start_frame);
  const first = jobs[0]?.start_frame ?? 0;
  const last = Math.max(...jobs.map((job) => job.stop_frame), first);
  const [only] = jobs;
  /** Frames of the one job, where it does not have all from its first to its last. */
  const included = jobs.length === 1 && only ? jobFrames(only) : null;
  const deleted = new Set(media.deletedFrames(mediaId, first, last));
  if (included) {
    const numbers = new Set(included);
    for (let frame = first; frame <= last; frame += 1) if (!numbers.has(frame)) deleted.add(frame);
  }
  const overlaps = jobs.some((job, index) => (jobs[index - 1]?.stop_frame ?? -1) >= job.start_frame);

  const info = ({ frame, name, width, height }: Pick<FrameRow, 'frame' | 'name' | 'width' | 'height'>): FrameInfo => ({
    frame,
    name,
    width,
    height,
    subset,
    task_id: taskId,
  });

  function* frames(): Generator<FrameInfo> {
    for (let start = first; start <= last; start += framePage) {
      for (const [frame, name, width, height] of datasets.frames(
        mediaId,
        start,
        Math.min(start + framePage - 1, last),
      )) {
        if (!deleted.has(frame)) yield info({ frame, name, width, height });
      }
    }
  }

  /** Only tasks whose jobs overlap are read whole: their objects must be compared before they are told apart. */
  const merged = overlaps ? mergeJobs(jobs, (job) => annotations.read(job.id)) : null;
  const tracks: readonly StoredTrack[] = merged ? merged.tracks : jobs.flatMap((job) => datasets.tracks(job.id));
  const tags: readonly Tag[] = (merged ? merged.tags : jobs.flatMap((job) => datasets.tags(job.id))).map((tag) =>
    names.tag(tag),
  );

  /** Frames that have shapes, in order; the shapes of deleted ones too. */
  function* framesWithShapes(): Generator<FrameShapes> {
    if (merged) {
      for (const [frame, shapes] of Map.groupBy(
        merged.shapes.toSorted((a, b) => a.frame - b.frame),
        ({ frame }) => frame,
      )) {
        yield { frame, shapes: shapes.map((shape) => names.stored(shape)) };
      }
      return;
    }
    for (const job of jobs) yield* assembleFrames(datasets.shapeBatches(job.id), names);
  }

  function* shapes(): Generator<LabeledShape> {
    for (const one of framesWithShapes()) if (!deleted.has(one.frame)) yield* one.shapes;
  }

  return {
    first,
    last,
    /** Whether annotations may come to this frame. */
    hasFrame: (frame: number): boolean => frame >= first && frame <= last && (!included || !deleted.has(frame)),
    frameCount: last - first + 1 - deleted.size,
    shapes,
    tags: () => tags.filter((tag) => !deleted.has(tag.frame)),
    tracks: (): Track[] => tracks.map((track) => names.track(track)),
    frames,
    frame(number: number): FrameInfo | undefined {
      const row = number >= first && number <= last ? media.frame(mediaId, number) : undefined;
      return row && info(row);
    },
    frameRow: (number: number) => media.frame(mediaId, number),
    *grouped(includeEmpty: boolean): Generator<Frame> {
      const walk = framesWithShapes();
      try {
        const shapesOf = takeShapes(walk);
        const tracksOf = tracks.map((track, index) => takeByFrame(names.flatten(track, index, last)));
        const tagsByFrame = Map.groupBy(tags, (tag) => tag.frame);
        for (const row of frames()) {
          const own = shapesOf(row.frame);
          const labeled = tracksOf.length === 0 ? own : [...own, ...tracksOf.flatMap((take) => take(row.frame))];
          const frameTags = tagsByFrame.get(row.frame) ?? noTags;
          if (!includeEmpty && labeled.length === 0 && frameTags.length === 0) continue;
          const { frame, name, width, height } = row;
          const inOrder = areInOrder(labeled) ? labeled : labeled.toSorted((a, b) => a.z_order - b.z_order);
          yield { frame, name, width, height, subset, task_id: taskId, labeled_shapes: inOrder, tags: frameTags };
        }
      } finally {
        // An exporter that stops half-way would leave the query open, and with it the connection.
        walk.return(undefined);
      }
    },
  };
}

const noTags: readonly Tag[] = [];
const noShapes: readonly LabeledShape[] = [];

interface FrameShapes {
  readonly frame: number;
  readonly shapes: readonly LabeledShape[];
}

function areInOrder(shapes: readonly LabeledShape[]): boolean {
  for (let index = 1; index < shapes.length; index += 1) {
    if (shapes[index]!.z_order < shapes[index - 1]!.z_order) return false;
  }
  return true;
}

/** Takes the shapes of one frame after another. */
function takeShapes(walk: Iterator<FrameShapes>): (frame: number) => readonly LabeledShape[] {
  let next = walk.next();
  return (frame) => {
    while (!next.done && next.value.frame < frame) next = walk.next();
    if (next.done || next.value.frame !== frame) return noShapes;
    const { shapes } = next.value;
    next = walk.next();
    return shapes;
  };
}

/** Takes the items of one frame after another from a walk in frame order. */
function takeByFrame<Item extends { readonly frame: number }>(walk: Iterator<Item>): (frame: number) => Item[] {
  let next = walk.next();
  return (frame) => {
    const taken: Item[] = [];
    while (!next.done && next.value.frame <= frame) {
      if (next.value.frame === frame) taken.push(next.value);
      next = walk.next();
    }
    return taken;
  };
}

const skeletonCode = typeCode('skeleton');

/** The shapes of each frame, with elements in their skeletons: they stand on the same frame, after them. */
function* assembleFrames(batches: Iterable<StoredShapeBatch>, names: ShapeNames): Generator<FrameShapes> {
  let frame = -1;
  let shapes: LabeledShape[] = [];
  let skeletons: { shape: LabeledShape; id: number; elements: LabeledShape[] }[] = [];
  const taken = (): FrameShapes => ({ frame, shapes: shapes.concat(skeletons.map(({ shape }) => shape)) });
  for (const batch of batches) {
    const { integers, ids, parents, count, capacity } = batch;
    for (let row = 0; row < count; row += 1) {
      const rowFrame = integers[integerColumn.frame * capacity + row] ?? 0;
      if (rowFrame !== frame) {
        if (shapes.length > 0 || skeletons.length > 0) yield taken();
        shapes = [];
        skeletons = [];
        frame = rowFrame;
      }
      const parent = parents[row] ?? Number.NaN;
      if (!Number.isNaN(parent)) {
        skeletons.find(({ id }) => id === parent)?.elements.push(names.shape(batch, row));
      } else if (integers[integerColumn.type * capacity + row] === skeletonCode) {
        const elements: LabeledShape[] = [];
        skeletons.push({ shape: names.shape(batch, row, elements), id: ids[row] ?? 0, elements });
      } else shapes.push(names.shape(batch, row));
    }
  }
  if (shapes.length > 0 || skeletons.length > 0) yield taken();
}
