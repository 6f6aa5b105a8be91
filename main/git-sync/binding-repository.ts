import type { GitBinding } from '../../preload/contract/schema/git.ts';
import type { Store } from '../db/store.ts';
import { eachInPortions, portionsOf, type Portions } from '../platform/portions.ts';

export type BindingRow = GitBinding;
export type ObjectKind = 'tag' | 'shape' | 'track';
/** Repository uids of annotations: `<kind> <id>` → uid. */
export type KnownObjects = ReadonlyMap<string, string>;

type Place = Pick<BindingRow, 'address' | 'branch' | 'folder' | 'format'>;

interface ObjectRow {
  readonly kind: ObjectKind;
  readonly object_id: number;
  readonly uid: string;
}

/** Rows of a query or a transaction: some milliseconds. */
const rowsAtOnce = 1000;

export const objectKey = (kind: ObjectKind, id: number): string => `${kind} ${id}`;

export type BindingRepository = ReturnType<typeof createBindingRepository>;

export function createBindingRepository(database: Store) {
  const { ids: taskIds, ...places } = createPlaces(database, 'git_binding', 'task_id', {
    project: 'project_id',
    // A task that is bound through its project uses the project's format.
    format:
      'CASE WHEN project_id IS NULL THEN format ELSE (SELECT p.format FROM git_project p WHERE p.project_id = git_binding.project_id) END',
  });
  const put = database.query(
    'INSERT OR REPLACE INTO git_binding (task_id, address, branch, folder, project_id, format) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const objects = database.query(
    `SELECT kind, object_id, uid FROM git_object WHERE task_id = +? AND (kind, object_id) > (?, +?)
     ORDER BY kind, object_id LIMIT ${rowsAtOnce}`,
  );
  const addObject = database.query(
    'INSERT OR REPLACE INTO git_object (task_id, kind, object_id, uid) VALUES (?, ?, ?, ?)',
  );
  const dropObject = database.query('DELETE FROM git_object WHERE task_id = +? AND kind = +? AND object_id = +?');

  const uid = database
    .query<[number, string, number], string>(
      'SELECT uid FROM git_object WHERE task_id = +? AND kind = +? AND object_id = +?',
    )
    .pluck();

  function* known(taskId: number): Portions<Map<string, string>> {
    const uids = new Map<string, string>();
    let last: Pick<ObjectRow, 'object_id'> & { readonly kind: string } = { kind: '', object_id: 0 };
    for (;;) {
      const rows = objects.all(taskId, last.kind, last.object_id) as ObjectRow[];
      for (const row of rows) uids.set(objectKey(row.kind, row.object_id), row.uid);
      last = rows.at(-1) ?? last;
      if (rows.length < rowsAtOnce) return uids;
      yield;
    }
  }

  return {
    ...places,
    taskIds,
    /** A new binding does not keep the uids of the previous one. */
    put: (taskId: number, { address, branch, folder, format }: Place, projectId: number | null = null): void =>
      void put.run(taskId, address, branch, folder, projectId, projectId === null ? format : null),
    known,
    uidOf: (taskId: number, kind: ObjectKind, id: number): string | undefined => uid.get(taskId, kind, id),
    /** Adds uids to the stored ones, in several transactions. Ids of deleted objects are never used again. */
    *add(taskId: number, uids: KnownObjects): Portions<void> {
      for (const some of portionsOf([...uids], rowsAtOnce)) {
        database.syncLater(() =>
          database.write(() => some.forEach(([key, name]) => addObject.run(taskId, ...partsOf(key), name))),
        );
        yield;
      }
    },
    /**
     * Replaces the stored uids; writes only the differences, in several transactions. An object whose uid is missing
     * after a crash gets that of an equal object of the repository.
     */
    *remember(taskId: number, now: KnownObjects): Portions<void> {
      const before = yield* known(taskId);
      const changes: (() => unknown)[] = [];
      yield* eachInPortions(now, ([key, uid]) => {
        if (before.get(key) !== uid) changes.push(() => addObject.run(taskId, ...partsOf(key), uid));
      });
      yield* eachInPortions(before.keys(), (key) => {
        if (!now.has(key)) changes.push(() => dropObject.run(taskId, ...partsOf(key)));
      });
      for (const some of portionsOf(changes, rowsAtOnce)) {
        database.syncLater(() => database.write(() => some.forEach((change) => change())));
        yield;
      }
    },
    projects: createProjectBindings(database),
  };
}

/** Bindings of projects. The bindings of their tasks are removed with them. */
function createProjectBindings(database: Store) {
  const put = database.query(
    'INSERT OR REPLACE INTO git_project (project_id, address, branch, folder, format) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    ...createPlaces(database, 'git_project', 'project_id', { project: 'NULL', format: 'format' }),
    put: (projectId: number, { address, branch, folder, format }: Place): void =>
      void put.run(projectId, address, branch, folder, format),
  };
}

/** Shared queries for bindings of tasks and projects. @param columns SQL of the binding project and of the format */
function createPlaces(
  database: Store,
  table: string,
  key: string,
  columns: { readonly project: string; readonly format: string },
) {
  const one = database.query(
    `SELECT address, branch, folder, base, pulled_date, pushed_date, ${columns.format} AS format, ${columns.project} AS project_id FROM ${table} WHERE ${key} = +?`,
  );
  const remove = database.query(`DELETE FROM ${table} WHERE ${key} = +?`);
  const ids = database.query(`SELECT ${key} FROM ${table}`).pluck();
  const setFormat = database.query(`UPDATE ${table} SET format = ? WHERE ${key} = +?`);
  const pulled = database.query(`UPDATE ${table} SET base = ?, pulled_date = ? WHERE ${key} = +?`);
  const pushed = database.query(`UPDATE ${table} SET base = ?, pushed_date = ? WHERE ${key} = +?`);
  return {
    get: (id: number) => one.get(id) as BindingRow | undefined,
    ids: () => ids.all() as number[],
    remove: (id: number): void => void remove.run(id),
    setFormat: (id: number, format: string | null): void => void setFormat.run(format, id),
    pulled: (id: number, base: string | null, date: string): void => void pulled.run(base, date, id),
    pushed: (id: number, base: string, date: string): void => void pushed.run(base, date, id),
  };
}

function partsOf(key: string): [kind: string, id: number] {
  const [kind = '', id] = key.split(' ');
  return [kind, Number(id)];
}
