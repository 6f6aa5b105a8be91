import type { Track as StoredTrack } from '../../../preload/contract/schema/annotations.ts';
import type { Frame, FrameInfo, LabeledShape, Tag, Track } from '../../formats/task-data.ts';
import type { AnnotationRepository } from '../annotations/annotation-repository.ts';
import type { ShapeRow } from '../annotations/annotation-rows.ts';
import { mergeJobs } from '../annotations/merge-jobs.ts';
import type { JobRow } from '../jobs/job-repository.ts';
import { jobFrames } from '../jobs/job-rules.ts';
import type { FrameRow, MediaRepository } from '../tasks/media-repository.ts';
import type { DatasetRepository } from './dataset-repository.ts';
import type { ShapeNames } from './shape-names.ts';

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

  const info = (row: FrameRow): FrameInfo => ({
    frame: row.frame,
    name: row.name,
    width: row.width,
    height: row.height,
    subset,
    task_id: taskId,
  });

  function* frameRows(): Generator<FrameRow> {
    for (let start = first; start <= last; start += framePage) {
      for (const row of media.frames(mediaId, start, Math.min(start + framePage - 1, last))) {
        if (!deleted.has(row.frame)) yield row;
      }
    }
  }

  /** Only tasks whose jobs overlap are read whole: their objects must be compared before they are told apart. */
  const merged = overlaps ? mergeJobs(jobs, (job) => annotations.read(job.id)) : null;
  const tracks: readonly StoredTrack[] = merged ? merged.tracks : jobs.flatMap((job) => datasets.tracks(job.id));
  const tags: readonly Tag[] = (merged ? merged.tags : jobs.flatMap((job) => datasets.tags(job.id))).map((tag) =>
    names.tag(tag),
  );

  function* shapes(): Generator<LabeledShape> {
    if (merged) {
      const ordered = merged.shapes.toSorted((a, b) => a.frame - b.frame);
      for (const shape of ordered) if (!deleted.has(shape.frame)) yield names.stored(shape);
      return;
    }
    for (const job of jobs) {
      for (const shape of assembled(datasets.shapes(job.id), names)) if (!deleted.has(shape.frame)) yield shape;
    }
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
    *frames(): Generator<FrameInfo> {
      for (const row of frameRows()) yield info(row);
    },
    frame(number: number): FrameInfo | undefined {
      const row = number >= first && number <= last ? media.frame(mediaId, number) : undefined;
      return row && info(row);
    },
    frameRow: (number: number) => media.frame(mediaId, number),
    *grouped(includeEmpty: boolean): Generator<Frame> {
      const walk = shapes();
      try {
        const shapesOf = takeByFrame(walk);
        const tracksOf = tracks.map((track, index) => takeByFrame(names.flatten(track, index, last)));
        const tagsByFrame = Map.groupBy(tags, (tag) => tag.frame);
        for (const row of frameRows()) {
          const labeled = [...shapesOf(row.frame), ...tracksOf.flatMap((take) => take(row.frame))];
          const frameTags = tagsByFrame.get(row.frame) ?? [];
          if (!includeEmpty && labeled.length === 0 && frameTags.length === 0) continue;
          if (labeled.length > 1) labeled.sort((a, b) => a.z_order - b.z_order);
          yield { ...info(row), labeled_shapes: labeled, tags: frameTags };
        }
      } finally {
        // An exporter that stops half-way would leave the query open, and with it the connection.
        walk.return(undefined);
      }
    },
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

/** Puts elements into their skeletons: they stand on the same frame, after them. */
function* assembled(rows: Iterable<ShapeRow>, names: ShapeNames): Generator<LabeledShape> {
  let skeletons: { shape: LabeledShape; id: number; elements: LabeledShape[] }[] = [];
  let frame = -1;
  for (const row of rows) {
    if (row.frame !== frame) {
      for (const skeleton of skeletons) yield skeleton.shape;
      skeletons = [];
      frame = row.frame;
    }
    if (row.parent_id !== null) {
      skeletons.find((one) => one.id === row.parent_id)?.elements.push(names.shape(row));
    } else if (names.isSkeleton(row)) {
      const elements: LabeledShape[] = [];
      skeletons.push({ shape: names.shape(row, elements), id: row.id, elements });
    } else yield names.shape(row);
  }
  for (const skeleton of skeletons) yield skeleton.shape;
}
