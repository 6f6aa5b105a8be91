import type { Tag } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import type { TagRow } from '../../work/annotations/annotation-rows.ts';
import { createTrackRepository, readTag } from '../../work/annotations/track-repository.ts';
import { createShapeBatchRepository } from './shape-batch-repository.ts';
import type { StoredShapeBatch } from './stored-shape-batch.ts';

export type DatasetRepository = ReturnType<typeof createDatasetRepository>;

/** Reads jobs in frame order, so that an export holds one frame at a time. */
export function createDatasetRepository(database: Store) {
  const liveSets = database.query("SELECT id FROM annotation_set WHERE job_id = +? AND state = 'live' ORDER BY id");
  const readBatches = createShapeBatchRepository(database);
  const setsOf = (jobId: number): number[] => (liveSets.all(jobId) as { id: number }[]).map(({ id }) => id);
  const tags = database.query(`SELECT tag.* FROM annotation_set s JOIN tag ON tag.set_id = s.id
    WHERE s.job_id = +? AND s.state = 'live' ORDER BY tag.frame, tag.id`);
  const annotated = database
    .query(
      `SELECT f.frame FROM annotation_set s JOIN shape_frame f ON f.set_id = s.id
       WHERE s.job_id = +@jobId AND s.state = 'live'
       UNION SELECT tag.frame FROM annotation_set s JOIN tag ON tag.set_id = s.id
       WHERE s.job_id = +@jobId AND s.state = 'live'`,
    )
    .pluck();
  const { read: tracks, readSet: tracksOfSet, wholes } = createTrackRepository(database);
  const tagsOfSet = database.query('SELECT * FROM tag WHERE set_id = +? ORDER BY frame, id');
  const framesOfSet = database
    .query('SELECT frame FROM shape_frame WHERE set_id = +? UNION SELECT frame FROM tag WHERE set_id = +?')
    .pluck();
  const frames = database
    .query(
      'SELECT frame, name, width, height FROM frame WHERE media_id = +? AND frame BETWEEN +? AND +? ORDER BY frame',
    )
    .raw();
  const user = database.query('SELECT username, email FROM user WHERE id = +?');
  /** Counts no more entries than necessary. */
  const reaches = (where: string) =>
    database.query(`SELECT 1 FROM job JOIN task ON task.id = job.task_id
      JOIN annotation_set s ON s.job_id = job.id AND s.state = 'live' JOIN shape_frame f ON f.set_id = s.id
      WHERE ${where} LIMIT 1 OFFSET +?`);
  const reachesOf = {
    project: reaches('task.project_id = +?'),
    task: reaches('task.id = +?'),
    job: reaches('job.id = +?'),
  };
  const ofJobs = {
    /** Shapes of a job in frame order, in batches. Within a frame, rows of older sets come first. */
    shapeBatches: (jobId: number): Iterable<StoredShapeBatch> => readBatches(setsOf(jobId)),
    tags: (jobId: number): Tag[] => (tags.all(jobId) as TagRow[]).map(readTag),
    /** Frames of a job with shapes or tags, ignoring tracks. */
    annotatedFrames: (jobId: number) => annotated.all({ jobId }) as number[],
    tracks,
    wholes,
  };
  return {
    ...ofJobs,
    /** The same queries for one set, for predictions, which belong to no job. */
    ofSet: (setId: number): typeof ofJobs => ({
      shapeBatches: () => readBatches([setId]),
      tags: () => (tagsOfSet.all(setId) as TagRow[]).map(readTag),
      annotatedFrames: () => framesOfSet.all(setId, setId) as number[],
      tracks: () => tracksOfSet(setId),
      wholes: () => [],
    }),
    /** Data of the frames first..last, inclusive, for lists of images. */
    frames: (mediaId: number, first: number, last: number) =>
      frames.all(mediaId, first, last) as [frame: number, name: string, width: number, height: number][],
    user: (id: number | null) =>
      id === null ? null : ((user.get(id) as { username: string; email: string } | undefined) ?? null),
    /** True if the object has at least `count` shapes. */
    hasShapes: ({ kind, id }: { readonly kind: 'project' | 'task' | 'job'; readonly id: number }, count: number) =>
      reachesOf[kind].get(id, count - 1) !== undefined,
  };
}
