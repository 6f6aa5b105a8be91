import type { MergeableObjects } from '../../../preload/geometry/overlap-merge.ts';
import type { AttributeValue } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Statistics, JobProgress, ProjectProgress } from '../../../preload/contract/schema/statistics.ts';
import { withValues, type TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationRepository } from '../annotations/annotation-repository.ts';
import { sourceOf, typeOf, unpackAttributes } from '../annotations/annotation-rows.ts';
import { indexLabels } from '../annotations/annotation-rules.ts';
import { withAttributeDefaults } from '../annotations/attribute-defaults.ts';
import { mergeJobs } from '../annotations/merge-jobs.ts';
import { countsInTask, jobFrames } from '../jobs/job-rules.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { TaskRow } from '../tables/task-repository.ts';
import { createObjectCount, type ObjectCount } from './count-objects.ts';
import type { OverviewRepository } from './overview-repository.ts';
import { createFrameCounts } from './frame-counts.ts';
import { createYielding, frameRanges } from './frame-ranges.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

/** Opens what an actor may see. */
interface Access {
  readonly job: (actor: Actor, id: number, action: 'view:annotations') => JobRow;
  readonly task: (actor: Actor, id: number, action: 'view:annotations') => TaskRow;
  readonly project: (actor: Actor, id: number, action: 'view') => unknown;
}

interface Dependencies extends Pick<WorkServiceDependencies, 'tasks' | 'jobs' | 'media' | 'labelRows'> {
  readonly access: Access;
  readonly annotations: AnnotationRepository;
  readonly overview: OverviewRepository;
}

const frameRange = 20_000;

/** A job, or a task as the sum of its jobs. */
interface Counted {
  readonly jobs: readonly JobRow[];
  readonly taskId: number;
  /** True for all jobs of the task: pieces of a cut track count as one. */
  readonly isTask: boolean;
  readonly mediaId: number;
  readonly first: number;
  readonly last: number;
  /** Frames that belong to it, if not all in between do. */
  readonly included: readonly number[] | null;
  /** Honeypots of a task: they repeat frames of its pool, which count once. A job has them as its own frames. */
  readonly repeats: ReadonlySet<number>;
}

const noRepeats: ReadonlySet<number> = new Set();

type Frames = Statistics['frames'];

/** Counts the annotations of jobs, tasks and projects as an export would contain them. */
export function createStatistics({ access, tasks, jobs, media, labelRows, annotations, overview }: Dependencies) {
  const taskPart = (task: TaskRow): Counted[] => {
    if (task.media_id === null || task.size === null) return [];
    const own = jobs.ofTask(task.id).filter(countsInTask);
    const repeats = new Set(media.honeypots(task.media_id).map(({ frame }) => frame));
    const place = { mediaId: task.media_id, first: 0, last: task.size - 1, included: null, repeats };
    return [{ ...place, jobs: own.toSorted((a, b) => a.start_frame - b.start_frame), taskId: task.id, isTask: true }];
  };
  const labelsOf = (projectId: number | null, taskId: number): Label[] => labelRows.list(labelOwner(projectId, taskId));

  /**
   * Overlapping jobs are read completely, because shared objects must be merged before they are counted. Jobs with
   * honeypots are, too, because the objects of those are left out.
   */
  async function shared(
    { jobs: own, taskId, isTask, repeats }: Counted,
    turn: () => Promise<void>,
  ): Promise<{ readonly objects: MergeableObjects; readonly all: boolean }> {
    const overlaps = own.some((job, index) => (own[index - 1]?.stop_frame ?? -1) >= job.start_frame);
    const all = overlaps || repeats.size > 0;
    const known = isTask ? annotations.tracks.wholes(taskId, { points: false }) : [];
    const wholes = new Map(known.map((track) => [track.origin, track]));
    const parts = new Map<JobRow, MergeableObjects>();
    for (const job of own) {
      const { tags, shapes } = all ? annotations.read(job.id, { without: 'tracks' }) : { tags: [], shapes: [] };
      const tracks: TrackPiece[] = [];
      for (const pieces of annotations.tracks.pieces(job.id, { points: overlaps })) {
        await turn();
        tracks.push(...pieces.filter(({ origin }) => origin === undefined || !wholes.has(origin)));
      }
      parts.set(job, { tags, shapes, tracks });
    }
    const merged = mergeJobs(own, (job) => parts.get(job)!, { uniteCut: true });
    return { objects: { ...merged, tracks: [...known, ...merged.tracks] }, all };
  }

  async function count(part: Counted, labels: readonly Label[], counter: ObjectCount, signal: AbortSignal) {
    const index = indexLabels(labels);
    const { first, last, mediaId } = part;
    const { included, repeats } = part;
    const deletedFrames = media.deletedFrames(mediaId, first, last).filter((frame) => !repeats.has(frame));
    const leftOut = new Set([...deletedFrames, ...repeats]);
    const withObjects = createFrameCounts(first, last);
    const turns = createYielding();
    const turn = async (): Promise<void> => {
      await turns();
      signal.throwIfAborted();
    };
    const withDefaults = (labelId: number, own: AttributeValue[]): AttributeValue[] => {
      const specs = index.labels.get(labelId)?.attributes ?? [];
      const defaults = specs.map(({ id, default_value: value }) => ({ spec_id: id, value }));
      return withValues(own, defaults);
    };

    const { objects, all } = await shared(part, turn);
    const { tags, shapes, tracks } = withAttributeDefaults(
      {
        version: 0,
        tags: [...objects.tags],
        shapes: [...objects.shapes],
        tracks: [...objects.tracks],
        intervals: [],
      },
      index,
    );
    if (all) {
      for (const object of [...shapes, ...tags.map((tag) => ({ ...tag, type: 'tag' as const }))]) {
        if (leftOut.has(object.frame)) continue;
        const { label_id: labelId, type, source, attributes } = object;
        counter.add({ labelId, type, source, attributes, count: 1 });
        withObjects.add(object.frame);
      }
    } else {
      for (const job of part.jobs) {
        const counts = overview.countsByFrame(job.id);
        for (const { frame } of counts) withObjects.add(frame);
        for (const [from, to] of frameRanges(counts, frameRange)) {
          await turn();
          for (const row of overview.alike(job.id, mediaId, from, to)) {
            const { label_id: labelId, count } = row;
            const source = sourceOf(row.source);
            const type = row.type === null ? 'tag' : typeOf(row.type);
            const attributes = withDefaults(labelId, unpackAttributes(row.attributes));
            counter.add({ labelId, type, source, attributes, count });
          }
        }
      }
    }
    for (const track of tracks) {
      await turn();
      counter.addTrack(track, { first, last, deleted: leftOut }, withObjects);
    }
    const size = (included?.length ?? last - first + 1) - repeats.size;
    const gone = included?.filter((frame) => leftOut.has(frame)).length ?? deletedFrames.length;
    return { total: size - gone, deleted: gone, with_objects: withObjects.counted(leftOut).frames.length };
  }

  async function countAll(parts: readonly Counted[], labels: readonly Label[], signal: AbortSignal) {
    const counter = createObjectCount(labels);
    const frames: Frames = { total: 0, deleted: 0, with_objects: 0 };
    for (const part of parts) {
      const counted = await count(part, labels, counter, signal);
      frames.total += counted.total;
      frames.deleted += counted.deleted;
      frames.with_objects += counted.with_objects;
    }
    return counter.result(frames);
  }

  return {
    ofJob(actor: Actor, id: number, signal: AbortSignal): Promise<Statistics> {
      const job = access.job(actor, id, 'view:annotations');
      const place = { mediaId: job.media_id, first: job.start_frame, last: job.stop_frame, included: jobFrames(job) };
      const part = { ...place, jobs: [job], taskId: job.task_id, isTask: false, repeats: noRepeats };
      return countAll([part], labelsOf(job.project_id, job.task_id), signal);
    },
    /** A task without media has no counts. */
    ofTask(actor: Actor, id: number, signal: AbortSignal): Promise<Statistics> {
      const task = access.task(actor, id, 'view:annotations');
      return countAll(taskPart(task), labelsOf(task.project_id, id), signal);
    },
    ofProject(actor: Actor, id: number, signal: AbortSignal): Promise<Statistics> {
      access.project(actor, id, 'view');
      const parts = tasks.idsOfProject(id).flatMap((task) => taskPart(access.task(actor, task, 'view:annotations')));
      return countAll(parts, labelsOf(id, 0), signal);
    },
  };
}

interface ProgressDependencies extends Pick<WorkServiceDependencies, 'media'> {
  readonly access: Pick<Access, 'job' | 'project'>;
  readonly annotations: Pick<AnnotationRepository, 'tracks'>;
  readonly overview: OverviewRepository;
}

export const createProgress = ({ access, media, annotations, overview }: ProgressDependencies) => ({
  /** Reads only the frames of objects, not their contents. */
  async ofJob(actor: Actor, id: number, signal: AbortSignal): Promise<JobProgress> {
    const job = access.job(actor, id, 'view:annotations');
    const { start_frame: first, stop_frame: last } = job;
    const deleted = new Set(media.deletedFrames(job.media_id, first, last));
    const tracked = createFrameCounts(first, last);
    const counter = createObjectCount([]);
    const turns = createYielding();
    for (const tracks of annotations.tracks.pieces(id, { points: false })) {
      await turns();
      signal.throwIfAborted();
      for (const track of tracks) counter.addTrack(track, { first, last, deleted }, tracked);
    }
    const annotated = new Set([...overview.frames(id), ...tracked.counted(deleted).frames]);
    const included = jobFrames(job) ?? Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const there = included.filter((frame) => !deleted.has(frame));
    return { frames: there.length, annotated: there.filter((frame) => annotated.has(frame)).length };
  },
  /** Reads one row per state and subset, independent of the size of the project. */
  ofProject(actor: Actor, id: number): ProjectProgress {
    access.project(actor, id, 'view');
    const subsets = overview.subsetsOfProject(id);
    return { jobs: overview.jobsOfProject(id), frames: subsets.reduce((sum, { frames }) => sum + frames, 0), subsets };
  },
});
