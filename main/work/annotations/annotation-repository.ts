import type { MergeableObjects } from '../../../preload/geometry/overlap-merge.ts';
import type { Tag } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import { packAttributes, sourceCode, type TagRow } from './annotation-rows.ts';
import { createShapeRepository, type FrameWindow } from './shape-repository.ts';
import { createTrackRepository, readTag } from './track-repository.ts';

export type AnnotationRepository = ReturnType<typeof createAnnotationRepository>;

/** Frames of shapes and tags. Tracks are always complete: a frame may be between keyframes. */
export interface Wanted extends FrameWindow {
  readonly without?: 'tracks';
}

const liveTags = (where: string) => `SELECT tag.* FROM annotation_set s JOIN tag ON tag.set_id = s.id
  WHERE s.job_id = +? AND s.state = 'live' ${where} ORDER BY tag.frame, tag.id`;

function createTagRepository(database: Store) {
  const ofJob = database.query(liveTags(''));
  const ofFrames = database.query(liveTags('AND tag.frame BETWEEN +? AND +?'));
  const ofFrame = database.query(liveTags('AND tag.frame = +?'));
  const ofSetFrame = database.query('SELECT * FROM tag WHERE set_id = +? AND frame = +? ORDER BY id');
  const one = database.query('SELECT id, set_id, frame FROM tag WHERE id = +?');
  const insert = database.query(
    'INSERT INTO tag (set_id, frame, label_id, source, group_id, attributes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const update = database.query(
    'UPDATE tag SET frame = ?, label_id = ?, source = ?, group_id = ?, attributes = ? WHERE id = +?',
  );
  const move = database.query('UPDATE tag SET set_id = ? WHERE id = +?');
  const remove = database.query('DELETE FROM tag WHERE id = +?');
  const values = (tag: Tag) =>
    [tag.frame, tag.label_id, sourceCode(tag.source), tag.group ?? 0, packAttributes(tag.attributes)] as const;
  return {
    read: (jobId: number, frame?: number): Tag[] =>
      ((frame === undefined ? ofJob.all(jobId) : ofFrame.all(jobId, frame)) as TagRow[]).map(readTag),
    /** Both ends included. */
    readFrames: (jobId: number, first: number, last: number): Tag[] =>
      (ofFrames.all(jobId, first, last) as TagRow[]).map(readTag),
    readSet: (setId: number, frame: number): Tag[] => (ofSetFrame.all(setId, frame) as TagRow[]).map(readTag),
    find: (id: number) => one.get(id) as Pick<TagRow, 'id' | 'set_id' | 'frame'> | undefined,
    insert: (setId: number, tag: Tag): Tag => ({
      ...tag,
      id: Number(insert.run(setId, ...values(tag)).lastInsertRowid),
    }),
    update(id: number, tag: Tag): Tag {
      update.run(...values(tag), id);
      return { ...tag, id };
    },
    /** Moves the tag to another set, unchanged. */
    move: ({ id }: Pick<TagRow, 'id'>, setId: number) => void move.run(setId, id),
    remove: ({ id }: Pick<TagRow, 'id'>) => void remove.run(id),
  };
}

export function createAnnotationRepository(database: Store) {
  const shapes = createShapeRepository(database);
  const tags = createTagRepository(database);
  const tracks = createTrackRepository(database);
  const someShapes = database
    .query(
      `SELECT count(*) FROM (SELECT 1 FROM annotation_set s JOIN shape_frame f ON f.set_id = s.id
       WHERE s.job_id = +? AND s.state = 'live' AND f.frame BETWEEN +? AND +? LIMIT +?)`,
    )
    .pluck();
  const someKeyframes = database
    .query(
      `SELECT count(*) FROM (SELECT 1 FROM annotation_set s JOIN track ON track.set_id = s.id
       JOIN tracked_shape t ON t.track_id = track.id WHERE s.job_id = +? AND s.state = 'live' LIMIT +?)`,
    )
    .pluck();
  return {
    shapes,
    tags,
    tracks,
    /** Counts shapes and keyframes up to a limit, so that the cost does not grow with the job. */
    countUpTo(limit: number, jobId: number, { frame, to_frame: last = frame, without }: Wanted): number {
      const shapeCount = Number(someShapes.get(jobId, frame ?? 0, last ?? Number.MAX_SAFE_INTEGER, limit));
      return shapeCount + (without === 'tracks' ? 0 : Number(someKeyframes.get(jobId, limit)));
    },
    read: (jobId: number, { frame, to_frame: last, without }: Wanted = {}): MergeableObjects => ({
      tags: last === undefined ? tags.read(jobId, frame) : tags.readFrames(jobId, frame ?? 0, last),
      shapes: last === undefined ? shapes.read(jobId, frame) : shapes.readFrames(jobId, frame ?? 0, last),
      tracks: without === 'tracks' ? [] : tracks.read(jobId),
    }),
  };
}
