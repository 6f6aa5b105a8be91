import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRow } from '../jobs/job-repository.ts';
import type { AnnotationRepository } from './annotation-repository.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import { sliceTrack } from './track-split.ts';

export type AnnotationAction = 'create' | 'update' | 'delete';

export const emptyData = (): LabeledData => ({ version: 0, tags: [], shapes: [], tracks: [], intervals: [] });

/** Writes checked annotations to the jobs of one task, inside the caller's transaction. */
export function createAnnotationWriter(annotations: AnnotationRepository, sets: AnnotationSetRepository) {
  const { shapes, tags, tracks } = annotations;

  function createInJob(job: JobRow, data: LabeledData): LabeledData {
    const setId = sets.base(job.id);
    return {
      ...emptyData(),
      tags: data.tags.map((tag) => tags.insert(setId, tag)),
      shapes: data.shapes.map((shape) => shapes.insert(setId, shape)),
      tracks: data.tracks.map((track) => tracks.insert(setId, track)),
    };
  }

  /** Objects go to every job whose frames hold them: in the overlap of two jobs, to both. */
  function create(jobs: readonly JobRow[], data: LabeledData): LabeledData {
    const [only] = jobs;
    if (jobs.length === 1 && only) return createInJob(only, data);
    const created = emptyData();
    for (const job of jobs) {
      const inJob = (item: { frame: number }) => item.frame >= job.start_frame && item.frame <= job.stop_frame;
      const answered = createInJob(job, {
        ...emptyData(),
        tags: data.tags.filter(inJob),
        shapes: data.shapes.filter(inJob),
        tracks: data.tracks.flatMap((track) => sliceTrack(track, job.start_frame, job.stop_frame) ?? []),
      });
      created.tags.push(...answered.tags);
      created.shapes.push(...answered.shapes);
      created.tracks.push(...answered.tracks);
    }
    return created;
  }

  /** Finds an object that must belong to one of the jobs; an unknown id refuses the whole save. */
  function owner(jobs: readonly JobRow[]) {
    const live = new Set(jobs.flatMap((job) => sets.live(job.id)));
    return <Place extends { set_id: number }>(
      kind: { find: (id: number) => Place | undefined },
      what: string,
      id: number | undefined,
    ): Place => {
      const place = id === undefined ? undefined : kind.find(id);
      if (place && live.has(place.set_id)) return place;
      const message = `There is no ${what} with id ${id} here. Nothing of this save was applied.`;
      throw new AppError('invalid', message, [message]);
    };
  }

  function update(jobs: readonly JobRow[], data: LabeledData): LabeledData {
    const owned = owner(jobs);
    return {
      ...emptyData(),
      tags: data.tags.map((tag) => tags.update(owned(tags, 'tag', tag.id).id, tag)),
      shapes: data.shapes.map((shape) => shapes.update(owned(shapes, 'shape', shape.id), shape)),
      tracks: data.tracks.map((track) => tracks.update(owned(tracks, 'track', track.id), track)),
    };
  }

  function remove(jobs: readonly JobRow[], data: LabeledData): LabeledData {
    const owned = owner(jobs);
    for (const tag of data.tags) tags.remove(owned(tags, 'tag', tag.id).id);
    for (const shape of data.shapes) shapes.remove(owned(shapes, 'shape', shape.id));
    for (const track of data.tracks) tracks.remove(owned(tracks, 'track', track.id).id);
    return data;
  }

  const actions = { create, update, delete: remove };
  return {
    change: (jobs: readonly JobRow[], action: AnnotationAction, data: LabeledData) => actions[action](jobs, data),
    clear(jobs: readonly JobRow[]): void {
      for (const job of jobs) sets.discardLive(job.id);
    },
  };
}
