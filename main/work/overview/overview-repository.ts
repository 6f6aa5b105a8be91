import type { Shape } from '../../../preload/contract/schema/annotations.ts';
import type { ProjectProgress } from '../../../preload/contract/schema/statistics.ts';
import type { Store } from '../../db/store.ts';
import {
  isOccluded,
  isOutside,
  sourceOf,
  typeOf,
  unpackAttributes,
  type ShapeRow,
} from '../annotations/annotation-rows.ts';

type PlainRow = Omit<ShapeRow, 'set_id' | 'area' | 'parent_id' | 'points'>;

interface FrameCount {
  readonly frame: number;
  readonly count: number;
}

/** Count of objects that are equal in all properties that statistics distinguish. */
export interface AlikeRow {
  readonly label_id: number;
  /** Null for a tag. */
  readonly type: number | null;
  readonly source: number;
  readonly attributes: string | null;
  readonly count: number;
}

const isThere = (frame: string) =>
  `NOT EXISTS (SELECT 1 FROM deleted_frame d WHERE d.media_id = +:media AND d.frame = ${frame})`;

export function createOverviewRepository(database: Store) {
  const byFrame = database.query(
    `SELECT frame, COUNT(*) AS count FROM (
       SELECT f.frame FROM annotation_set s JOIN shape_frame f ON f.set_id = s.id JOIN shape ON shape.id = f.shape_id
         WHERE s.job_id = +:job AND s.state = 'live' AND shape.parent_id IS NULL
       UNION ALL
       SELECT tag.frame FROM annotation_set s JOIN tag ON tag.set_id = s.id
         WHERE s.job_id = +:job AND s.state = 'live')
     GROUP BY frame ORDER BY frame`,
  );
  // Each lookup is the first row at or after a frame, so a frame costs the same however many objects it has.
  const framesOfSet = (table: 'shape_frame' | 'tag') =>
    `SELECT s.id AS set_id, (SELECT min(frame) FROM ${table} WHERE set_id = s.id) AS frame
       FROM annotation_set s WHERE s.job_id = +:job AND s.state = 'live'
     UNION ALL
     SELECT set_id, (SELECT min(frame) FROM ${table} t WHERE t.set_id = found.set_id AND t.frame > found.frame)
       FROM found WHERE found.frame IS NOT NULL`;
  const frames = (['shape_frame', 'tag'] as const).map((table) =>
    database.query(
      `WITH RECURSIVE found(set_id, frame) AS (${framesOfSet(table)}) SELECT frame FROM found WHERE frame IS NOT NULL`,
    ),
  );
  const alike = database.query(
    `SELECT label_id, type, source, attributes, COUNT(*) AS count FROM (
       SELECT shape.label_id, shape.type, shape.source, shape.attributes
         FROM annotation_set s JOIN shape_frame f ON f.set_id = s.id JOIN shape ON shape.id = f.shape_id
         WHERE s.job_id = +:job AND s.state = 'live' AND f.frame BETWEEN +:first AND +:last AND shape.parent_id IS NULL
           AND ${isThere('f.frame')}
       UNION ALL
       SELECT tag.label_id, NULL AS type, tag.source, tag.attributes FROM annotation_set s JOIN tag ON tag.set_id = s.id
         WHERE s.job_id = +:job AND s.state = 'live' AND tag.frame BETWEEN +:first AND +:last AND ${isThere('tag.frame')})
     GROUP BY label_id, type, source, attributes`,
  );
  const plain = database.query(
    `SELECT shape.id, shape.frame, shape.label_id, shape.type, shape.source, shape.flags, shape.z_order, shape.group_id,
       shape.rotation, shape.score, shape.attributes
     FROM annotation_set s JOIN shape_frame f ON f.set_id = s.id JOIN shape ON shape.id = f.shape_id
     WHERE s.job_id = +? AND s.state = 'live' AND f.frame BETWEEN +? AND +? AND shape.parent_id IS NULL`,
  );
  const jobsOfProject = database.query(
    `SELECT count(*) AS count,
       ifnull(sum(stage = 'acceptance' AND state = 'completed'), 0) AS completed,
       ifnull(sum(stage <> 'annotation' AND NOT (stage = 'acceptance' AND state = 'completed')), 0) AS validation,
       ifnull(sum(stage = 'annotation' AND state = 'in progress'), 0) AS in_progress,
       ifnull(sum(stage = 'annotation' AND state = 'rejected'), 0) AS rejected
     FROM job WHERE project_id = +? AND type <> 'consensus_replica'`,
  );
  const subsetsOfProject = database.query(
    `SELECT task.subset AS name, count(*) AS tasks, ifnull(sum(media.size), 0) AS frames
     FROM task LEFT JOIN media ON media.id = task.media_id WHERE task.project_id = +?
     GROUP BY task.subset ORDER BY frames DESC, name`,
  );
  return {
    jobsOfProject: (id: number) => jobsOfProject.get(id) as ProjectProgress['jobs'],
    subsetsOfProject: (id: number) => subsetsOfProject.all(id) as ProjectProgress['subsets'],
    /** Shapes on a range of frames, both ends included, without points and elements, which are most of the data. */
    shapesWithoutPoints: (jobId: number, first: number, last: number): Shape[] =>
      (plain.all(jobId, first, last) as PlainRow[]).map((row) => ({
        id: row.id,
        frame: row.frame,
        label_id: row.label_id,
        type: typeOf(row.type),
        source: sourceOf(row.source),
        occluded: isOccluded(row.flags),
        outside: isOutside(row.flags),
        z_order: row.z_order,
        group: row.group_id,
        rotation: row.rotation,
        score: row.score,
        attributes: unpackAttributes(row.attributes),
        points: [],
        elements: [],
      })),
    /** Counts shapes and tags of a job on a range of frames, both ends included. Excludes deleted frames and tracks. */
    alike: (job: number, media: number, first: number, last: number) =>
      alike.all({ job, media, first, last }) as AlikeRow[],
    /** Frames with shapes or tags. Reads one row per frame and set: elements are on the frames of their skeletons. */
    frames: (jobId: number): Set<number> =>
      new Set(frames.flatMap((query) => (query.all({ job: jobId }) as { frame: number }[]).map(({ frame }) => frame))),
    /** Shapes and tags of a job per frame that has some, in order of frames. Excludes tracks. */
    countsByFrame: (jobId: number) => byFrame.all({ job: jobId }) as FrameCount[],
  };
}

export type OverviewRepository = ReturnType<typeof createOverviewRepository>;
