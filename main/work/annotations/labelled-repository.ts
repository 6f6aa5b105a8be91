import type { Store } from '../../db/store.ts';
import { portionSize, type Portions } from '../../platform/portions.ts';
import type { LabelOwner } from '../tables/label-repository.ts';

export type LabelledRepository = ReturnType<typeof createLabelledRepository>;

/** Takes objects with certain labels out of a set. */
export interface Taking {
  readonly labelIds: ReadonlySet<number>;
  /** The set that receives the objects; null if they are deleted. Called in the transaction that moves them. */
  readonly target: () => number | null;
  /** Called in the same transaction, with the number of objects; a skeleton counts as one. */
  readonly taken: (count: number) => void;
}

interface Place {
  readonly id: number;
  readonly frame: number;
  readonly label_id: number;
  readonly parent_id: number | null;
}

type Position = Pick<Place, 'frame' | 'id'>;

const tasks = {
  project: 'SELECT task.id FROM task WHERE task.project_id = +?',
  task: 'SELECT task.id FROM task WHERE task.id = +?',
};

/** Removes the annotations of labels before the labels are deleted. */
export function createLabelledRepository(database: Store) {
  const setsOfJob = database
    .query<[number, 'live' | 'pending'], number>(
      'SELECT id FROM annotation_set WHERE job_id = +? AND state = +? ORDER BY id',
    )
    .pluck();
  const someShapes = database.query(
    `SELECT shape.id, f.frame, shape.label_id, shape.parent_id
     FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
     WHERE f.set_id = +? AND (f.frame, f.shape_id) > (+?, +?) ORDER BY f.frame, f.shape_id LIMIT ${portionSize}`,
  );
  const someTags = database.query(
    `SELECT id, frame, label_id, NULL AS parent_id FROM tag
     WHERE set_id = +? AND (frame, id) > (+?, +?) ORDER BY frame, id LIMIT ${portionSize}`,
  );
  const someTracks = database.query(
    `SELECT id, 0 AS frame, label_id, parent_id FROM track WHERE set_id = +? AND id > +? ORDER BY id LIMIT ${portionSize}`,
  );
  const unlist = database.query('DELETE FROM shape_frame WHERE set_id = +? AND frame = +? AND shape_id = +?');
  const list = database.query('INSERT INTO shape_frame (set_id, frame, shape_id) VALUES (?, ?, ?)');
  const statements = (table: 'shape' | 'tag' | 'track') => ({
    move: database.query(`UPDATE ${table} SET set_id = ? WHERE id = +?`),
    remove: database.query(`DELETE FROM ${table} WHERE id = +?`),
  });
  const after =
    (some: typeof someShapes) =>
    (setId: number, { frame, id }: Position): Place[] =>
      some.all(setId, frame, id) as Place[];
  const tables = [
    { after: after(someShapes), isListed: true, ...statements('shape') },
    { after: after(someTags), isListed: false, ...statements('tag') },
    {
      after: (setId: number, { id }: Position) => someTracks.all(setId, id) as Place[],
      isListed: false,
      ...statements('track'),
    },
  ];

  function takeSome(table: (typeof tables)[number], setId: number, places: readonly Place[], taking: Taking): void {
    const chosen = places.filter(({ label_id: labelId }) => taking.labelIds.has(labelId));
    if (chosen.length === 0) return;
    const move = (): void => {
      const target = taking.target();
      for (const { id, frame } of chosen) {
        if (table.isListed) unlist.run(setId, frame, id);
        if (target === null) table.remove.run(id);
        else table.move.run(target, id);
        if (target !== null && table.isListed) list.run(target, frame, id);
      }
      taking.taken(chosen.filter(({ parent_id: parent }) => parent === null).length);
    };
    database.syncLater(() => database.write(move));
  }

  /** Each portion reads some objects of the set, and takes those with the labels in one transaction. */
  function* take(setId: number, taking: Taking): Portions<void> {
    for (const table of tables) {
      let last: Position | undefined = { frame: -1, id: 0 };
      while (last) {
        const places: Place[] = table.after(setId, last);
        takeSome(table, setId, places, taking);
        last = places.length < portionSize ? undefined : places.at(-1);
        if (places.length > 0) yield;
      }
    }
  }

  return {
    take,
    setsOfJob: (jobId: number, state: 'live' | 'pending') => setsOfJob.all(jobId, state),
    jobs: ({ kind, id }: LabelOwner) =>
      database.query(`SELECT id FROM job WHERE task_id IN (${tasks[kind]}) ORDER BY id`).pluck().all(id) as number[],
    predictionSets: ({ kind, id }: LabelOwner) =>
      database
        .query(
          `SELECT s.id FROM prediction_set p JOIN annotation_set s ON s.prediction_set_id = p.id
           WHERE p.task_id IN (${tasks[kind]})`,
        )
        .pluck()
        .all(id) as number[],
    /** Notes in earlier changes that labels of their objects may be gone. */
    noteGone: ({ kind, id }: LabelOwner): void =>
      void database
        .query(
          `UPDATE annotation_change SET labels_gone = 1 WHERE id IN (SELECT s.change_id FROM annotation_set s
             JOIN job ON job.id = s.job_id WHERE s.change_id IS NOT NULL AND job.task_id IN (${tasks[kind]}))`,
        )
        .run(id),
  };
}
