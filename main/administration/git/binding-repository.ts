import type { GitBinding } from '../../../preload/contract/schema/git.ts';
import type { Database } from '../../db/open.ts';

export type BindingRow = GitBinding;
export type ObjectKind = 'tag' | 'shape' | 'track';
/** Which annotation is which in the repository: `<kind> <id>` → uid. */
export type KnownObjects = ReadonlyMap<string, string>;

type Place = Pick<BindingRow, 'address' | 'branch' | 'folder'>;

export const objectKey = (kind: ObjectKind, id: number): string => `${kind} ${id}`;

export type BindingRepository = ReturnType<typeof createBindingRepository>;

export function createBindingRepository(database: Database) {
  const one = database.prepare(
    'SELECT address, branch, folder, base, pulled_date, pushed_date, project_id FROM git_binding WHERE task_id = ?',
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO git_binding (task_id, address, branch, folder, project_id) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM git_binding WHERE task_id = ?');
  const ids = database.prepare('SELECT task_id FROM git_binding').pluck();
  const pulled = database.prepare('UPDATE git_binding SET base = ?, pulled_date = ? WHERE task_id = ?');
  const pushed = database.prepare('UPDATE git_binding SET base = ?, pushed_date = ? WHERE task_id = ?');
  const objects = database.prepare('SELECT kind, object_id, uid FROM git_object WHERE task_id = ?');
  const addObject = database.prepare(
    'INSERT OR REPLACE INTO git_object (task_id, kind, object_id, uid) VALUES (?, ?, ?, ?)',
  );
  const dropObject = database.prepare('DELETE FROM git_object WHERE task_id = ? AND kind = ? AND object_id = ?');

  const known = (taskId: number): Map<string, string> =>
    new Map(
      (objects.all(taskId) as { kind: ObjectKind; object_id: number; uid: string }[]).map((row) => [
        objectKey(row.kind, row.object_id),
        row.uid,
      ]),
    );

  return {
    get: (taskId: number) => one.get(taskId) as BindingRow | undefined,
    taskIds: () => ids.all() as number[],
    /** A new binding knows nothing of the objects of the one before it. */
    put: (taskId: number, { address, branch, folder }: Place, projectId: number | null = null): void =>
      void put.run(taskId, address, branch, folder, projectId),
    remove: (taskId: number): void => void remove.run(taskId),
    pulled: (taskId: number, base: string | null, date: string): void => void pulled.run(base, date, taskId),
    pushed: (taskId: number, base: string, date: string): void => void pushed.run(base, date, taskId),
    known,
    /** Writes what is new in this, and drops what is not in it any more. */
    remember(taskId: number, now: KnownObjects): void {
      const before = known(taskId);
      database.transaction(() => {
        for (const [key, uid] of now) if (before.get(key) !== uid) addObject.run(taskId, ...partsOf(key), uid);
        for (const key of before.keys()) if (!now.has(key)) dropObject.run(taskId, ...partsOf(key));
      })();
    },
    projects: createProjectBindings(database),
  };
}

/** Bindings of projects; those of their tasks go with them. */
function createProjectBindings(database: Database) {
  const one = database.prepare(
    'SELECT address, branch, folder, base, pulled_date, pushed_date, NULL AS project_id FROM git_project WHERE project_id = ?',
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO git_project (project_id, address, branch, folder) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM git_project WHERE project_id = ?');
  const ids = database.prepare('SELECT project_id FROM git_project').pluck();
  const pulled = database.prepare('UPDATE git_project SET base = ?, pulled_date = ? WHERE project_id = ?');
  const pushed = database.prepare('UPDATE git_project SET base = ?, pushed_date = ? WHERE project_id = ?');
  return {
    get: (projectId: number) => one.get(projectId) as BindingRow | undefined,
    ids: () => ids.all() as number[],
    put: (projectId: number, { address, branch, folder }: Place): void =>
      void put.run(projectId, address, branch, folder),
    remove: (projectId: number): void => void remove.run(projectId),
    pulled: (projectId: number, base: string, date: string): void => void pulled.run(base, date, projectId),
    pushed: (projectId: number, base: string, date: string): void => void pushed.run(base, date, projectId),
  };
}

function partsOf(key: string): [kind: string, id: number] {
  const [kind = '', id] = key.split(' ');
  return [kind, Number(id)];
}
