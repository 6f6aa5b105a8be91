import { createBulkInsert } from '../../db/bulk-insert.ts';
import type { Store } from '../../db/store.ts';

export type AnnotationSetRepository = ReturnType<typeof createAnnotationSetRepository>;

/** Rows that the background removal deletes in one transaction: some milliseconds of write lock. */
const removalBatch = 2000;

/** Ids that one transaction of the scan covers. */
const scannedIds = 50_000;

/** Annotation sets and the jobs that show them. See migration 0001 for why annotations belong to sets. */
export function createAnnotationSetRepository(database: Store) {
  const live = database
    .query<[number], number>("SELECT id FROM annotation_set WHERE job_id = +? AND state = 'live' ORDER BY id")
    .pluck();
  const liveOfJobs = database
    .query<[string], number>(
      `SELECT id FROM annotation_set WHERE job_id IN (SELECT value FROM json_each(+?)) AND state = 'live' ORDER BY id`,
    )
    .pluck();
  const liveJob = database.query("SELECT job_id FROM annotation_set WHERE id = +? AND state = 'live'").pluck();
  const insert = database.query('INSERT INTO annotation_set (job_id, state, request_id) VALUES (?, ?, ?)');
  const insertMany = createBulkInsert(database, 'annotation_set (job_id, state, request_id)', 3);
  const isListed = 'IN (SELECT value FROM json_each(+?))';
  const hideLive = database.query<[number | null, string]>(
    `UPDATE annotation_set SET state = 'discarded', change_id = ? WHERE job_id ${isListed} AND state = 'live'`,
  );
  const hide = database.query<[number | null, string]>(
    `UPDATE annotation_set SET state = 'discarded', change_id = ? WHERE id ${isListed}`,
  );
  const show = database.query<[number | null, string]>(
    `UPDATE annotation_set SET state = 'live', change_id = ? WHERE id ${isListed}`,
  );
  const insertHidden = database.query(
    "INSERT INTO annotation_set (job_id, state, change_id) VALUES (?, 'discarded', ?)",
  );
  const ofChange = database.query(
    `SELECT id, job_id AS jobId FROM annotation_set
     WHERE change_id = +? AND state = +? AND job_id IS NOT NULL ORDER BY id`,
  );
  const ofJobInChange = database.query(
    "SELECT id FROM annotation_set WHERE change_id = +? AND job_id = +? AND state = 'discarded'",
  );
  const isAny = 'IN (SELECT value FROM json_each(+:ids))';
  const countOf = (shapes: string) =>
    database
      .query<{ readonly ids: string }, number>(
        `SELECT (${shapes}) + (SELECT count(*) FROM tag WHERE set_id ${isAny})
          + (SELECT count(*) FROM track WHERE set_id ${isAny} AND parent_id IS NULL AND piece_count IS NULL)`,
      )
      .pluck();
  const countEntries = countOf(`SELECT count(*) FROM shape_frame WHERE set_id ${isAny}`);
  const countShapes = countOf(
    `SELECT count(*) FROM shape_frame f JOIN shape ON shape.id = f.shape_id
     WHERE f.set_id ${isAny} AND shape.parent_id IS NULL`,
  );
  const hasElements = database.query('SELECT EXISTS (SELECT 1 FROM label WHERE parent_id IS NOT NULL)').pluck();
  const publish = database.query<[string]>(
    `UPDATE annotation_set SET state = 'live', request_id = NULL WHERE id ${isListed} AND state = 'pending'`,
  );
  const discardPending = database.query(
    "UPDATE annotation_set SET state = 'discarded' WHERE state = 'pending' AND (? IS NULL OR request_id = +?)",
  );
  const discardListed = database.query(
    "UPDATE annotation_set SET state = 'discarded', request_id = NULL WHERE state = 'pending' AND request_id = +?",
  );
  const adopt = database.query(
    "UPDATE annotation_set SET job_id = ?, state = 'live', request_id = NULL WHERE id = +? AND state = 'pending'",
  );
  const bases = database.query<[string], { job_id: number; id: number }>(
    `SELECT job_id, min(id) AS id FROM annotation_set
     WHERE job_id IN (SELECT value FROM json_each(+?)) AND state = 'live' GROUP BY job_id`,
  );
  const createSet = (jobId: number | null, state: 'live' | 'pending', requestId: string | null): number =>
    Number(insert.run(jobId, state, requestId).lastInsertRowid);

  return {
    live: (jobId: number): number[] => live.all(jobId),
    /** The same of many jobs. Operations on many jobs or sets are one statement: a task may have thousands of jobs. */
    liveOf: (jobIds: readonly number[]): number[] => liveOfJobs.all(JSON.stringify(jobIds)),
    /** The job that shows a set. */
    liveJob: (setId: number) => liveJob.get(setId) as number | undefined,
    /** The set that edits of the job are written to. */
    base: (jobId: number): number => live.get(jobId) ?? createSet(jobId, 'live', null),
    /** The same for many jobs, in few statements. */
    bases(jobIds: readonly number[]): ReadonlyMap<number, number> {
      const known = new Map(bases.all(JSON.stringify(jobIds)).map(({ job_id, id }) => [job_id, id]));
      const others = jobIds.filter((jobId) => !known.has(jobId));
      insertMany(others, (jobId) => [jobId, 'live', null]).forEach((id, at) => known.set(others[at]!, id));
      return known;
    },
    /** `jobId` is null if the job is created at the end of the import: see `adopt`. */
    createPending: (jobId: number | null, requestId: string): number => createSet(jobId, 'pending', requestId),
    createPendingOf: (jobIds: readonly number[], requestId: string): number[] =>
      insertMany(jobIds, (jobId) => [jobId, 'pending', requestId]),
    /** Hides all sets that the jobs show. They are kept for undo if a change is given. */
    hideLive: (jobIds: readonly number[], changeId: number | null) =>
      void hideLive.run(changeId, JSON.stringify(jobIds)),
    hide: (setIds: readonly number[], changeId: number | null) => void hide.run(changeId, JSON.stringify(setIds)),
    show: (setIds: readonly number[], changeId: number | null) => void show.run(changeId, JSON.stringify(setIds)),
    /** The hidden set of a change, for objects that the job loses one at a time. */
    hiddenOf(jobId: number, changeId: number | null): number {
      const known = ofJobInChange.get(changeId, jobId) as { id: number } | undefined;
      return known?.id ?? Number(insertHidden.run(jobId, changeId).lastInsertRowid);
    },
    ofChange: (changeId: number, state: 'live' | 'discarded') =>
      ofChange.all(changeId, state) as { id: number; jobId: number }[],
    /** Counts the objects of sets; a skeleton counts as one. Without skeletons only an index is read. */
    countObjects: (setIds: readonly number[]): number =>
      (hasElements.get() === 1 ? countShapes : countEntries).get({ ids: JSON.stringify(setIds) }) ?? 0,
    /** @returns whether all sets were pending */
    publish: (setIds: readonly number[]) => publish.run(JSON.stringify(setIds)).changes === setIds.length,
    /** Publishes a pending set as the set of a new job. */
    adopt: (setId: number, jobId: number) => adopt.run(jobId, setId).changes === 1,
    ...createPredictionSets(database),
    ...createSetRemoval(database),
    /** Discards pending sets whose shapes are all in `shape_frame`, so that their removal needs no scan. */
    discardListed: (requestId: string) => void discardListed.run(requestId),
    /** Discards the sets of an unfinished import; without an id, of every import (at start). */
    discardPending: (requestId: string | null = null) => void discardPending.run(requestId, requestId),
  };
}

function createPredictionSets(database: Store) {
  const insertPredictions = database.query(
    "INSERT INTO annotation_set (job_id, state, prediction_set_id) VALUES (NULL, 'live', ?)",
  );
  const adoptPredictions = database.query(
    `UPDATE annotation_set SET prediction_set_id = ?, state = 'live', request_id = NULL
     WHERE id = +? AND state = 'pending'`,
  );
  const ofPredictions = database.query('SELECT id FROM annotation_set WHERE prediction_set_id = +? LIMIT 1').pluck();
  return {
    /** Creates an empty set for predictions; no job shows it. */
    createPredictions: (predictionSetId: number) => Number(insertPredictions.run(predictionSetId).lastInsertRowid),
    /** Publishes a pending set as the set of a prediction set. */
    adoptPredictions: (setId: number, predictionSetId: number) =>
      adoptPredictions.run(predictionSetId, setId).changes === 1,
    ofPredictions: (predictionSetId: number) => ofPredictions.get(predictionSetId) as number | undefined,
  };
}

function createSetRemoval(database: Store) {
  // A pending set without a job belongs to an import that creates its jobs last. A discarded set of a change is kept
  // for undo.
  const isDiscarded = `((state = 'discarded' AND change_id IS NULL)
    OR (job_id IS NULL AND prediction_set_id IS NULL AND state <> 'pending'))`;
  const discarded = database
    .query(`SELECT id FROM annotation_set WHERE ${isDiscarded} AND request_id IS NULL LIMIT 1`)
    .pluck();
  // Only an import that ended before its sets were published leaves a request.
  const unfinished = database
    .query(`SELECT id FROM annotation_set WHERE ${isDiscarded} AND request_id IS NOT NULL`)
    .pluck();
  const removals = [
    database.query(
      'DELETE FROM tracked_shape WHERE id IN (SELECT t.id FROM tracked_shape t JOIN track ON track.id = t.track_id ' +
        'WHERE track.set_id = +? LIMIT +?)',
    ),
    database.query('DELETE FROM track WHERE id IN (SELECT id FROM track WHERE set_id = +? LIMIT +?)'),
    database.query('DELETE FROM tag WHERE id IN (SELECT id FROM tag WHERE set_id = +? LIMIT +?)'),
  ];
  const someShapes = database.query('SELECT frame, shape_id FROM shape_frame WHERE set_id = +? LIMIT +?');
  const removeShape = database.query('DELETE FROM shape WHERE id = +?');
  const removeEntry = database.query('DELETE FROM shape_frame WHERE set_id = +? AND frame = +? AND shape_id = +?');
  const removeUnlisted = database.query(
    'DELETE FROM shape WHERE id BETWEEN +? AND +? AND set_id IN (SELECT value FROM json_each(+?))',
  );
  const lastShape = database.query('SELECT ifnull(max(id), 0) FROM shape').pluck();
  const removeSet = database.query('DELETE FROM annotation_set WHERE id = +?');

  /**
   * Removes at most `limit` rows of a set.
   * @returns the number of removed rows; the set is empty if it is below the limit
   */
  function removeRows(setId: number, limit: number): number {
    const entries = someShapes.all(setId, limit) as { frame: number; shape_id: number }[];
    for (const entry of entries) {
      removeShape.run(entry.shape_id);
      removeEntry.run(setId, entry.frame, entry.shape_id);
    }
    return removals.reduce(
      (sum, rows) => sum + (sum < limit ? rows.run(setId, limit - sum).changes : 0),
      entries.length,
    );
  }

  /** One bounded step over as many sets as it can empty. Returns false when no discarded set is left. */
  function removeSome(): boolean {
    for (let left = removalBatch; left > 0; left -= 1) {
      const set = discarded.get() as number | undefined;
      if (set === undefined) return false;
      const removed = removeRows(set, left);
      if (removed < left) removeSet.run(set);
      left -= removed;
    }
    return true;
  }

  return {
    /**
     * Removes the rows of discarded sets in short transactions and yields in between. The cost follows the rows that it
     * removes, except after an interrupted import: its shapes may not be in `shape_frame` yet, so that one scan of all
     * shape ids looks for them.
     */
    async collectGarbage(yieldToOthers: () => Promise<void>, signal: AbortSignal): Promise<void> {
      const step = async (work: () => boolean): Promise<void> => {
        while (!signal.aborted && database.write(work)) await yieldToOthers();
      };
      await step(removeSome);
      const sets = unfinished.all() as number[];
      if (sets.length === 0) return;
      for (const set of sets) await step(() => removeRows(set, removalBatch) === removalBatch);
      const [ids, last] = [JSON.stringify(sets), lastShape.get() as number];
      let from = 0;
      await step(() => {
        removeUnlisted.run(from, from + scannedIds - 1, ids);
        from += scannedIds;
        return from <= last;
      });
      if (!signal.aborted) database.write(() => sets.forEach((set) => removeSet.run(set)));
    },
  };
}
