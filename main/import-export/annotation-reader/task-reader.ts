import { keyframesOf, readTrack, type TrackPiece, type TrackWindow } from '../../../preload/geometry/track-pieces.ts';
import { labeledShapes } from '../../formats/kit/flatten-track.ts';
import type { DrawnTrack, Frame, FrameInfo, ImageSize, LabeledShape, Tag } from '../../formats/kit/task-data.ts';
import type { AnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import { typeCode } from '../../work/annotations/annotation-rows.ts';
import type { JobRow } from '../../work/tables/job-repository.ts';
import { jobFrames } from '../../work/jobs/job-rules.ts';
import type { FrameRow, MediaRepository } from '../../work/tables/media-repository.ts';
import { integerColumn } from '../bulk-writer/annotation-batch.ts';
import type { DatasetRepository } from '../bulk-writer/dataset-repository.ts';
import { mergeForReading } from './merge-for-reading.ts';
import type { ShapeNames } from './shape-names.ts';
import type { StoredShapeBatch } from '../bulk-writer/stored-shape-batch.ts';

export interface TaskReaderOptions {
  readonly taskId: number;
  readonly mediaId: number;
  /** All jobs of the task, or the exported one. */
  readonly jobs: readonly JobRow[];
  readonly subset: string;
  readonly names: ShapeNames;
  readonly datasets: DatasetRepository;
  readonly annotations: AnnotationRepository;
  readonly media: MediaRepository;
  /** Default: all frames that are not deleted. */
  readonly choice?: FrameChoice;
  /** Frames that the view does not have. */
  readonly leftOut: readonly number[];
}

/** Frames to iterate: those of the set, or those with visible annotations. */
export type FrameChoice = ReadonlySet<number> | 'annotated';

const framePage = 2000;

/** Sizes of frames, kept by page, because the objects of a file can be in any order of frames. */
function createSizes(read: (first: number, last: number) => ReturnType<DatasetRepository['frames']>) {
  const pages = new Map<number, Int32Array>();
  return (number: number): ImageSize | undefined => {
    const start = number - (number % framePage);
    let page = pages.get(start);
    if (!page) {
      page = new Int32Array(2 * framePage).fill(-1);
      for (const [frame, , width, height] of read(start, start + framePage - 1))
        page.set([width, height], 2 * (frame - start));
      pages.set(start, page);
    }
    const [width = -1, height = -1] = page.subarray(2 * (number - start));
    return width < 0 ? undefined : { width, height };
  };
}

/** Reads one task, or one of its jobs, frame by frame. Frame numbers are relative to the task. */
export function createTaskReader(options: TaskReaderOptions) {
  const { taskId, mediaId, subset, names, datasets, annotations, media } = options;
  const jobs = options.jobs.toSorted((a, b) => a.start_frame - b.start_frame);
  const first = jobs[0]?.start_frame ?? 0;
  const last = Math.max(...jobs.map((job) => job.stop_frame), first);
  const [only] = jobs;
  /** Frames of the only job, if it does not have all from its first to its last. */
  const included = jobs.length === 1 && only ? jobFrames(only) : null;
  /** Deleted frames of the task: keyframes beyond the job affect its frames too. */
  const removed = new Set(media.deletedFrames(mediaId, 0, Number.MAX_SAFE_INTEGER));
  const absent = included ? missingFrames(included, first, last) : new Set<number>();
  const deleted = new Set([...removed, ...absent, ...options.leftOut]);
  const isInside = (frame: number): boolean => frame >= first && frame <= last;

  const info = ({ frame, name, width, height }: Pick<FrameRow, 'frame' | 'name' | 'width' | 'height'>): FrameInfo => ({
    frame,
    name,
    width,
    height,
    subset,
    task_id: taskId,
  });

  let previous = -1;
  let page: readonly FrameRow[] = [];
  /** Prefetches frames, because importers request them in sequence. */
  function ahead(number: number): FrameRow | undefined {
    const known = page[number - (page[0]?.frame ?? 0)];
    const follows = number === previous + 1;
    previous = number;
    if (known?.frame === number) return known;
    if (!follows) return media.frame(mediaId, number);
    page = media.frames(mediaId, number, Math.min(last, number + framePage - 1));
    return page[0];
  }

  const sizeOf = createSizes((from, to) => datasets.frames(mediaId, from, to));

  function* frames(): Generator<FrameInfo> {
    for (let start = first; start <= last; start += framePage) {
      for (const [frame, name, width, height] of datasets.frames(
        mediaId,
        start,
        Math.min(start + framePage - 1, last),
      )) {
        if (isShown(frame)) yield info({ frame, name, width, height });
      }
    }
  }

  const { shared: merged, tracks: stored } = mergeForReading(taskId, jobs, { datasets, annotations });
  const tracks = drawTracks(stored, names, { first, last, deleted }, absent);
  const tags: readonly Tag[] = (merged ? merged.tags : jobs.flatMap((job) => datasets.tags(job.id))).map((tag) =>
    names.tag(tag),
  );

  /** Excludes deleted frames. Duplicates in two jobs are on the same frame, so no comparison is needed. */
  function annotatedFrames(): ReadonlySet<number> {
    const found = new Set<number>();
    const add = (frame: number): void => void (isInside(frame) && !deleted.has(frame) && found.add(frame));
    for (const job of jobs) datasets.annotatedFrames(job.id).forEach(add);
    tracks.forEach((track, index) => {
      for (const { frame } of labeledShapes(track, index)) add(frame);
    });
    return found;
  }

  const wholeCount = last - first + 1 - [...deleted].filter(isInside).length;
  const chosen = options.choice === 'annotated' ? annotatedFrames() : options.choice;
  const isShown = (frame: number): boolean => !deleted.has(frame) && (!chosen || chosen.has(frame));

  /** Frames with shapes in order, including deleted frames. */
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
    for (const one of framesWithShapes()) if (isShown(one.frame)) yield* one.shapes;
  }

  return {
    first,
    last,
    /** True if annotations can be added to this frame. */
    hasFrame: (frame: number): boolean => isInside(frame) && (!included || !deleted.has(frame)),
    frameCount: chosen ? [...chosen].filter((frame) => isInside(frame) && isShown(frame)).length : wholeCount,
    /** Number of frames without the choice. */
    wholeCount,
    isDeleted: (frame: number): boolean => deleted.has(frame),
    /** The choice as numbers; undefined if none was made. */
    chosen,
    shapes,
    tags: () => tags.filter((tag) => isShown(tag.frame)),
    tracks: (): readonly DrawnTrack[] => tracks,
    /** Number of keyframes on deleted frames, which do not count, by label. */
    *lostKeyframes(): Generator<{ readonly label: string; readonly count: number }> {
      for (const track of stored) {
        const count = [...keyframesOf(track)].filter((frame) => removed.has(frame) && isInside(frame)).length;
        if (count > 0) yield { label: names.label(track.label_id), count };
      }
    },
    frames,
    frame(number: number): FrameInfo | undefined {
      const row = isInside(number) ? ahead(number) : undefined;
      return row && info(row);
    },
    size: (number: number): ImageSize | undefined => (isInside(number) ? sizeOf(number) : undefined),
    frameRow: (number: number) => media.frame(mediaId, number),
    *grouped(includeEmpty: boolean): Generator<Frame> {
      const walk = framesWithShapes();
      try {
        const shapesOf = takeShapes(walk);
        const tracksOf = tracks.map((track, index) => takeByFrame(labeledShapes(track, index)));
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
        // An exporter that stops early would leave the query open, and so the connection.
        walk.return(undefined);
      }
    },
  };
}

function missingFrames(frames: readonly number[], first: number, last: number): Set<number> {
  const missing = new Set<number>();
  const known = new Set(frames);
  for (let frame = first; frame <= last; frame += 1) if (!known.has(frame)) missing.add(frame);
  return missing;
}

/** Keyframes on frames outside a job of selected frames are invisible, but affect interpolation. */
function drawTracks(
  tracks: readonly TrackPiece[],
  names: ShapeNames,
  window: TrackWindow,
  absent: ReadonlySet<number>,
): DrawnTrack[] {
  const kept = <Part extends Pick<TrackPiece, 'shapes'>>(part: Part): Part => ({
    ...part,
    shapes: part.shapes.map((shape) => (absent.has(shape.frame) ? { ...shape, border: true } : shape)),
  });
  return tracks.flatMap((track) => {
    const whole = absent.size === 0 ? track : { ...kept(track), elements: track.elements.map(kept) };
    const seen = readTrack(whole, window);
    return seen ? names.drawn(seen) : [];
  });
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

/** Takes the shapes of frames in ascending order. */
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

/** Takes the items of frames in ascending order from an iterator in frame order. */
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

/** Shapes of each frame, with elements inside their skeletons. Elements follow their skeleton on the same frame. */
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
