import type { FunctionState } from '../../../preload/contract/schema/functions.ts';
import type { Database } from '../../db/open.ts';

/** A deployed function, as the store keeps it. */
export interface FunctionRow {
  readonly id: number;
  readonly name: string;
  readonly provider: 'docker' | 'url';
  readonly project: string;
  /** JSON: metadata and spec, without the values of variables. */
  readonly document: string;
  /** Sealed. */
  readonly secrets: string;
  readonly way: 'image' | 'handler' | 'build' | null;
  readonly image: string | null;
  readonly running_image: string | null;
  readonly is_image_made: number;
  readonly has_runtime: number;
  /** JSON. */
  readonly commands: string | null;
  readonly directory: string | null;
  readonly is_directory_own: number;
  /** JSON. */
  readonly grants: string;
  readonly state: FunctionState;
  readonly message: string;
  /** JSON. */
  readonly warnings: string;
  readonly container_id: string | null;
  readonly port: number | null;
  /** JSON. */
  readonly cards: string;
  readonly address: string | null;
  readonly gpu_memory_mib: number | null;
  readonly measured_gpu_memory_mib: number | null;
  readonly idle_stop_seconds: number | null;
  readonly owner_id: number | null;
  readonly created_date: string;
  readonly updated_date: string;
}

export type NewFunction = Omit<FunctionRow, 'id'>;

/** Of a function of which nothing is known yet but its name. */
const blank: Omit<NewFunction, 'name' | 'project' | 'created_date' | 'updated_date'> = {
  provider: 'docker',
  document: '{"metadata":{},"spec":{}}',
  secrets: '',
  way: null,
  image: null,
  running_image: null,
  is_image_made: 0,
  has_runtime: 0,
  commands: null,
  directory: null,
  is_directory_own: 0,
  grants: '[]',
  state: 'imported',
  message: '',
  warnings: '[]',
  container_id: null,
  port: null,
  cards: '[]',
  address: null,
  gpu_memory_mib: null,
  measured_gpu_memory_mib: null,
  idle_stop_seconds: null,
  owner_id: null,
};

export function newFunction(name: string, project: string, date: string): NewFunction {
  return { ...blank, name, project, created_date: date, updated_date: date };
}

export type FunctionChange = Partial<Omit<NewFunction, 'name'>>;
/** Columns that a change may set. Names come from here, never from input. */
const columns = Object.keys(newFunction('', '', '')).filter(isChangeable);

function isChangeable(column: string): column is keyof FunctionChange {
  return column !== 'name';
}

export interface ProjectRow {
  readonly name: string;
  readonly description: string;
  readonly created_date: string;
}

export interface DashboardRow {
  readonly id: number;
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  readonly namespace: string;
  readonly project: string;
  readonly invoke: 'direct' | 'dashboard';
  readonly created_date: string;
}

export interface RunRow {
  readonly task_id: number;
  readonly job_id: number;
  readonly function_id: string;
  readonly request_date: string;
  readonly next_frame: number;
  /** JSON. */
  readonly report: string;
  readonly updated_date: string;
}

export type FunctionRepository = ReturnType<typeof createFunctionRepository>;

export function createFunctionRepository(database: Database) {
  const all = database.prepare('SELECT * FROM model_function ORDER BY name');
  const one = database.prepare('SELECT * FROM model_function WHERE name = ?');
  const put = database.prepare(
    `INSERT INTO model_function (name, ${columns.join(', ')}) VALUES (@name, ${columns.map((name) => `@${name}`).join(', ')})`,
  );
  const setters = new Map(
    columns.map((column) => [column, database.prepare(`UPDATE model_function SET ${column} = ? WHERE name = ?`)]),
  );
  const remove = database.prepare('DELETE FROM model_function WHERE name = ?');
  const setting = database.prepare('SELECT value FROM model_setting WHERE key = ?');
  const putSetting = database.prepare('INSERT OR IGNORE INTO model_setting (key, value) VALUES (?, ?)');

  return {
    list: () => all.all() as FunctionRow[],
    get: (name: string) => one.get(name) as FunctionRow | undefined,
    insert: (row: NewFunction) => void put.run(row),
    update(name: string, change: FunctionChange): void {
      database.transaction(() => {
        for (const column of columns) if (column in change) setters.get(column)?.run(change[column], name);
      })();
    },
    remove: (name: string) => void remove.run(name),
    /** A value that is made once for the data directory. */
    setting(key: string, make: () => string): string {
      const read = () => (setting.get(key) as { value: string } | undefined)?.value;
      const known = read();
      if (known !== undefined) return known;
      putSetting.run(key, make());
      return read() ?? '';
    },
    projects: createProjectRows(database),
    dashboards: createDashboardRows(database),
    runs: createRunRows(database),
  };
}

function createProjectRows(database: Database) {
  const list = database.prepare('SELECT * FROM model_project ORDER BY name');
  const put = database.prepare(
    `INSERT INTO model_project (name, description, created_date) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET description = excluded.description`,
  );
  const remove = database.prepare('DELETE FROM model_project WHERE name = ?');
  return {
    list: () => list.all() as ProjectRow[],
    put: (name: string, description: string, date: string) => void put.run(name, description, date),
    remove: (name: string) => void remove.run(name),
  };
}

function createDashboardRows(database: Database) {
  const list = database.prepare('SELECT * FROM model_dashboard ORDER BY id');
  const one = database.prepare('SELECT * FROM model_dashboard WHERE id = ?');
  const insert = database.prepare(
    'INSERT INTO model_dashboard (url, secret, namespace, project, invoke, created_date) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM model_dashboard WHERE id = ?');
  return {
    list: () => list.all() as DashboardRow[],
    get: (id: number) => one.get(id) as DashboardRow | undefined,
    insert: (row: Omit<DashboardRow, 'id'>) =>
      Number(insert.run(row.url, row.secret, row.namespace, row.project, row.invoke, row.created_date).lastInsertRowid),
    remove: (id: number) => remove.run(id).changes === 1,
  };
}

function createRunRows(database: Database) {
  const one = database.prepare('SELECT * FROM model_run WHERE task_id = ? AND job_id = ? AND function_id = ?');
  const put = database.prepare(
    `INSERT OR REPLACE INTO model_run (task_id, job_id, function_id, request_date, next_frame, report, updated_date)
     VALUES (@task_id, @job_id, @function_id, @request_date, @next_frame, @report, @updated_date)`,
  );
  const remove = database.prepare('DELETE FROM model_run WHERE task_id = ? AND job_id = ? AND function_id = ?');
  return {
    get: (taskId: number, jobId: number, functionId: string) =>
      one.get(taskId, jobId, functionId) as RunRow | undefined,
    put: (row: RunRow) => void put.run(row),
    remove: (taskId: number, jobId: number, functionId: string) => void remove.run(taskId, jobId, functionId),
  };
}
