import type { LabeledData, Track } from '../../../preload/contract/schema/annotations.ts';
import { AppError } from '../../platform/errors.ts';
import { atOnce, portionSize, type Portions } from '../../platform/portions.ts';
import type { JobSpan } from '../tables/job-repository.ts';
import type { AnnotationRepository } from './annotation-repository.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import { indexRanges, type FrameRange, type RangeIndex } from '../../../preload/geometry/frame-spans.ts';
import { cutForJobs, framesOfTrack, withoutMarks } from '../../../preload/geometry/track-pieces.ts';

export type AnnotationAction = 'create' | 'update' | 'delete';

export const spanOf = ({ start_frame: first, stop_frame: last }: JobSpan) => ({ first, last });

/** Tags and shapes sorted into jobs, by the index of the job and in its order. */
export function partsOf(
  { tags, shapes }: LabeledData,
  jobsOf: RangeIndex,
): readonly (readonly [number, LabeledData])[] {
  const parts = new Map<number, LabeledData>();
  const part = (index: number): LabeledData => {
    const known = parts.get(index) ?? emptyData();
    parts.set(index, known);
    return known;
  };
  for (const tag of tags) for (const index of jobsOf.within(tag.frame)) part(index).tags.push(tag);
  for (const shape of shapes) for (const index of jobsOf.within(shape.frame)) part(index).shapes.push(shape);
  return [...parts].sort(([a], [b]) => a - b);
}

export const emptyData = (): LabeledData => ({ version: 0, tags: [], shapes: [], tracks: [], intervals: [] });

/** The set that receives new objects of a job. */
type SetOfJob = (job: Pick<JobSpan, 'id'>) => number;

export type AnnotationWriter = ReturnType<typeof createAnnotationWriter>;

/** Finds the jobs of objects. */
function createJobFinder({ shapes, tags, tracks }: AnnotationRepository, sets: AnnotationSetRepository) {
  /** Returns the job that shows a set, if it is one of these. */
  function jobsOfSets(jobs: readonly JobSpan[]): (setId: number) => number | undefined {
    const ids = new Set(jobs.map(({ id }) => id));
    const known = new Map<number, number | undefined>();
    return (setId) => {
      if (!known.has(setId)) {
        const job = sets.liveJob(setId);
        known.set(setId, job !== undefined && ids.has(job) ? job : undefined);
      }
      return known.get(setId);
    };
  }

  /** The jobs whose annotations a save changes. Of a task with many jobs, these are usually few. */
  function concerned(jobs: readonly JobSpan[], data: LabeledData, action: AnnotationAction): readonly JobSpan[] {
    if (jobs.length === 1) return jobs;
    const jobsOf = indexRanges(jobs.map(spanOf));
    const jobOf = jobsOfSets(jobs);
    const ids = new Set<number | undefined>();
    const add = (
      kind: { find: (id: number) => { readonly set_id: number } | undefined },
      { id }: { readonly id?: number | undefined },
      { first, last }: FrameRange,
    ): void => {
      const place = action === 'create' || id === undefined ? undefined : kind.find(id);
      if (place) ids.add(jobOf(place.set_id));
      else if (action !== 'delete') for (const index of jobsOf.within(first, last)) ids.add(jobs[index]?.id);
    };
    for (const tag of data.tags) add(tags, tag, { first: tag.frame, last: tag.frame });
    for (const shape of data.shapes) add(shapes, shape, { first: shape.frame, last: shape.frame });
    for (const track of data.tracks) add(tracks, track, framesOfTrack(track));
    return jobs.filter(({ id }) => ids.has(id));
  }

  /** Finds the set of an object in one of the jobs; an unknown id refuses the entire save. */
  function owner(jobOf: (setId: number) => number | undefined) {
    return <Place extends { set_id: number }>(
      kind: { find: (id: number) => Place | undefined },
      what: string,
      id: number | undefined,
    ): Place => {
      const place = id === undefined ? undefined : kind.find(id);
      if (place && jobOf(place.set_id) !== undefined) return place;
      const message = `Cannot save: there is no ${what} with id ${id} here. Nothing of this save was applied.`;
      throw new AppError('invalid', message, [message]);
    };
  }

  /** Refuses ids of objects that the jobs do not show. */
  function requirePresent(jobs: readonly JobSpan[], data: LabeledData): void {
    const owned = owner(jobsOfSets(jobs));
    for (const { id } of data.tags) if (id !== undefined) owned(tags, 'tag', id);
    for (const { id } of data.shapes) if (id !== undefined) owned(shapes, 'shape', id);
    for (const { id } of data.tracks) if (id !== undefined) owned(tracks, 'track', id);
  }

  return { jobsOfSets, concerned, owner, requirePresent };
}

/** Writes checked annotations to the jobs of one task, inside the caller's transaction. */
export function createAnnotationWriter(annotations: AnnotationRepository, sets: AnnotationSetRepository) {
  const { shapes, tags, tracks } = annotations;
  const { jobsOfSets, concerned, owner, requirePresent } = createJobFinder(annotations, sets);

  /** Sets of the jobs, found on the first use. */
  function baseOf(jobs: readonly Pick<JobSpan, 'id'>[]): SetOfJob {
    if (jobs.length === 1) return ({ id }) => sets.base(id);
    let bases: ReadonlyMap<number, number> | undefined;
    return ({ id }) => (bases ??= sets.bases(jobs.map((job) => job.id))).get(id) ?? sets.base(id);
  }

  function createInJob(setId: number, data: LabeledData): LabeledData {
    return {
      ...emptyData(),
      tags: data.tags.map((tag) => tags.insert(setId, tag)),
      shapes: data.shapes.map((shape) => shapes.insert(setId, shape)),
      tracks: data.tracks.map((track) => tracks.insert(setId, track)),
    };
  }

  /** Each job gets its piece of a track. Yields after each portion of pieces; returns them, job by job. */
  function* createTracks(
    jobs: readonly JobSpan[],
    whole: readonly Track[],
    jobsOf: RangeIndex,
    setOf: SetOfJob,
  ): Portions<Track[]> {
    const spans = jobs.map(spanOf);
    const created: { readonly index: number; readonly piece: Track }[] = [];
    let written = 0;
    for (const track of whole) {
      const { pieces, isCut } = cutForJobs(track, spans, jobsOf);
      const setAt = (index: number): number => setOf(jobs[index]!);
      const stored = isCut
        ? yield* tracks.insertCut(track, pieces, setAt)
        : pieces.map(({ index, piece }) => tracks.insert(setAt(index), piece));
      stored.forEach((piece, at) => created.push({ index: pieces[at]!.index, piece: withoutMarks(piece) }));
      written += pieces.length;
      if (written < portionSize) continue;
      written = 0;
      yield;
    }
    return created.sort((a, b) => a.index - b.index).map(({ piece }) => piece);
  }

  /**
   * Writes objects to every job that has their frames; in the overlap of two jobs, to both. Yields while it writes tracks:
   * each may have pieces in thousands of jobs.
   */
  function* createInPortions(
    jobs: readonly JobSpan[],
    data: LabeledData,
    setOf: SetOfJob,
    jobsOf = indexRanges(jobs.map(spanOf)),
  ): Portions<LabeledData> {
    const [only] = jobs;
    if (jobs.length === 1 && only) return createInJob(setOf(only), data);
    const created = emptyData();
    for (const [index, part] of partsOf(data, jobsOf)) {
      const answered = createInJob(setOf(jobs[index]!), part);
      created.tags.push(...answered.tags);
      created.shapes.push(...answered.shapes);
    }
    created.tracks = yield* createTracks(jobs, data.tracks, jobsOf, setOf);
    return created;
  }

  /** @param receivers the jobs that `concerned` found */
  const create = (
    jobs: readonly JobSpan[],
    data: LabeledData,
    receivers = concerned(jobs, data, 'create'),
  ): LabeledData => atOnce(createInPortions(jobs, data, baseOf(receivers)));

  /** Objects without an id are new. */
  function update(jobs: readonly JobSpan[], data: LabeledData): LabeledData {
    const owned = owner(jobsOfSets(jobs));
    let jobsOf: RangeIndex | undefined;
    const made = (part: Partial<LabeledData>) => {
      jobsOf ??= indexRanges(jobs.map(spanOf));
      const objects = { ...emptyData(), ...part };
      return atOnce(createInPortions(jobs, objects, ({ id }) => sets.base(id), jobsOf));
    };
    return {
      ...emptyData(),
      tags: data.tags.flatMap((tag) =>
        tag.id === undefined ? made({ tags: [tag] }).tags : tags.update(owned(tags, 'tag', tag.id).id, tag),
      ),
      shapes: data.shapes.flatMap((shape) =>
        shape.id === undefined
          ? made({ shapes: [shape] }).shapes
          : shapes.update(owned(shapes, 'shape', shape.id), shape),
      ),
      tracks: data.tracks.flatMap((track) =>
        track.id === undefined
          ? made({ tracks: [track] }).tracks
          : withoutMarks(tracks.update(owned(tracks, 'track', track.id), track)),
      ),
    };
  }

  return {
    concerned,
    create,
    createInPortions,
    requirePresent,
    update,
    /** @param hiddenOf the hidden set that takes what a job loses */
    remove(jobs: readonly JobSpan[], data: LabeledData, hiddenOf: (jobId: number) => number): LabeledData {
      const jobOf = jobsOfSets(jobs);
      const owned = owner(jobOf);
      const moveOut =
        <Place extends { set_id: number }>(
          kind: { find: (id: number) => Place | undefined; move: (place: Place, setId: number) => void },
          what: string,
        ) =>
        ({ id }: { id?: number | undefined }): void => {
          const place = owned(kind, what, id);
          kind.move(place, hiddenOf(jobOf(place.set_id) ?? 0));
        };
      data.tags.forEach(moveOut(tags, 'tag'));
      data.shapes.forEach(moveOut(shapes, 'shape'));
      data.tracks.forEach(moveOut(tracks, 'track'));
      return data;
    },
  };
}
