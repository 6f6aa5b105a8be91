import { createHash, hash } from 'node:crypto';
import type { Store } from '../../db/store.ts';
import type { Portions } from '../../platform/portions.ts';

/** Digests of stored annotations: equal digests mean equal annotations with equal ids. */
export interface AnnotationDigests {
  /** Tags and shapes, by frame. */
  readonly frames: ReadonlyMap<number, string>;
  /** All tracks. */
  readonly tracks: string;
}

/** Shapes of one query: about 2 ms. */
const shapesAtOnce = 1000;

const jobsOf = (table: string) => `FROM annotation_set s JOIN ${table} ON ${table}.set_id = s.id
  WHERE s.job_id IN (SELECT value FROM json_each(+?)) AND s.state = 'live'`;
/** SQL: a text of each row. SQLite joins the rows of a frame, because reading them in JavaScript takes twice as long. */
const textOf = (columns: readonly string[]) =>
  `group_concat(${columns.map((column) => `quote(${column})`).join(" || ' ' || ")}, char(10))`;
const tagText = textOf(['tag.id', 'tag.frame', 'label_id', 'source', 'group_id', 'attributes']);
const shapeText = textOf([
  'f.shape_id',
  'label_id',
  'type',
  'source',
  'flags',
  'z_order',
  'group_id',
  'rotation',
  'score',
  'parent_id',
  'points',
  'attributes',
]);
const trackColumns = 'track.id, frame, label_id, source, group_id, parent_id, attributes, origin_id, piece_count';
const keyframeText = textOf(['id', 'frame', 'type', 'flags', 'z_order', 'rotation', 'points', 'attributes']);

/** Reads each shape, tag and keyframe once, without decoding it. */
export function* digestsOf(database: Store, jobIds: readonly number[]): Portions<AnnotationDigests> {
  const setsWithShapes = database.query<[string], { job_id: number; id: number }>(
    `SELECT s.job_id, s.id FROM annotation_set s
     WHERE s.job_id IN (SELECT value FROM json_each(+?)) AND s.state = 'live' ORDER BY s.id`,
  );
  const endOfPage = database
    .query<[number, number], number>(
      `SELECT frame FROM shape_frame WHERE set_id = +? AND frame >= +? ORDER BY frame LIMIT 1 OFFSET ${shapesAtOnce}`,
    )
    .pluck();
  const shapes = database.query<[number, number, number], { frame: number; text: string }>(
    `SELECT f.frame, ${shapeText} AS text FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
     WHERE f.set_id = +? AND f.frame BETWEEN +? AND +? GROUP BY f.frame`,
  );
  const tags = database.query<[string], { job_id: number; frame: number; text: string }>(
    `SELECT s.job_id, tag.frame, ${tagText} AS text ${jobsOf('tag')} GROUP BY s.id, tag.frame`,
  );
  const tracks = database.query<[string], { id: number; text: string }>(
    `SELECT track.id, json_array(s.job_id, ${trackColumns}) AS text ${jobsOf('track')} ORDER BY track.id`,
  );
  const keyframes = database
    .query<[number], string | null>(`SELECT ${keyframeText} FROM tracked_shape WHERE track_id = +?`)
    .pluck();

  const jobs = JSON.stringify(jobIds);
  const frames = new Map<number, string>();
  const add = (frame: number, kind: string, jobId: number, text: string): void =>
    void frames.set(frame, hash('sha256', `${frames.get(frame) ?? ''} ${kind} ${jobId}\n${text}`, 'base64'));
  for (const { job_id: jobId, frame, text } of tags.all(jobs)) add(frame, 'tags', jobId, text);
  for (const { job_id: jobId, id } of setsWithShapes.all(jobs)) {
    for (let first: number | undefined = 0; first !== undefined;) {
      const next = endOfPage.get(id, first);
      // A frame with more shapes than a page is a page alone.
      const last: number = next === undefined ? Number.MAX_SAFE_INTEGER : Math.max(first, next - 1);
      for (const { frame, text } of shapes.all(id, first, last)) add(frame, 'shapes', jobId, text);
      first = next === undefined ? undefined : last + 1;
      yield;
    }
  }
  const ofTracks = createHash('sha256');
  for (const { id, text } of tracks.all(jobs)) {
    ofTracks.update(`${text}\n${keyframes.get(id) ?? ''}\n\n`);
    yield;
  }
  return { frames, tracks: ofTracks.digest('base64') };
}
