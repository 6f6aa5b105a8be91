import type { FunctionState } from '../../../preload/contract/schema/functions.ts';
import { columnOf, number, optionalNumber, optionalText, text, type RowOf } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { createNamedRows, setColumns, valuesOf } from './named-rows.ts';

const flag = columnOf<number>(0);
const jsonList = columnOf<string>('[]');

/** Engine of this computer, named like Docker's own context. */
export const localEngine = 'default';

/** Columns of a deployed function, with the initial values of a new one. */
const functionColumns = {
  name: text(),
  provider: columnOf<'docker' | 'url'>('docker')(),
  project: text(),
  /** JSON: metadata and spec, without the values of variables. */
  document: columnOf<string>('{"metadata":{},"spec":{}}')(),
  /** Encrypted. */
  secrets: text(),
  way: columnOf<'image' | 'handler' | 'build' | null>()(),
  image: optionalText(),
  running_image: optionalText(),
  is_image_made: flag(),
  has_runtime: flag(),
  /** JSON. */
  commands: optionalText(),
  directory: optionalText(),
  is_directory_own: flag(),
  grants: jsonList(),
  state: columnOf<FunctionState>('imported')(),
  message: text(),
  warnings: jsonList(),
  container_id: optionalText(),
  port: optionalNumber(),
  cards: jsonList(),
  address: optionalText(),
  gpu_memory_mib: optionalNumber(),
  measured_gpu_memory_mib: optionalNumber(),
  measured_cards: columnOf<string>('{}')(),
  version: columnOf<number>(1)(),
  idle_stop_seconds: optionalNumber(),
  owner_id: optionalNumber(),
  /** Name of the Docker Engine with its containers and images. */
  engine: columnOf<string>(localEngine)(),
  created_date: text(),
  updated_date: text(),
};

export type NewFunction = RowOf<typeof functionColumns>;
export interface FunctionRow extends NewFunction {
  readonly id: number;
}

export function newFunction(name: string, project: string, date: string): NewFunction {
  const initial = Object.entries(functionColumns).map(([column, { initial: value }]) => [column, value]);
  const blank = Object.fromEntries(initial) as NewFunction;
  return { ...blank, name, project, created_date: date, updated_date: date };
}

export type FunctionChange = Partial<Omit<NewFunction, 'name'>>;

export interface ProjectRow {
  readonly name: string;
  readonly description: string;
  readonly created_date: string;
}

const dashboardColumns = {
  url: text(),
  /** Encrypted. */
  secret: text(),
  namespace: text(),
  project: text(),
  invoke: columnOf<'direct' | 'dashboard'>()(),
  created_date: text(),
};
export interface DashboardRow extends RowOf<typeof dashboardColumns> {
  readonly id: number;
}

const engineColumns = {
  name: text(),
  address: text(),
  /** Encrypted. */
  secret: text(),
  created_date: text(),
};
export interface EngineRow extends RowOf<typeof engineColumns> {
  readonly id: number;
}

const runColumns = {
  task_id: number(),
  job_id: number(),
  function_id: text(),
  request_date: text(),
  next_frame: number(),
  /** JSON. */
  report: text(),
  updated_date: text(),
};
type RunRow = RowOf<typeof runColumns>;

export type FunctionRepository = ReturnType<typeof createFunctionRepository>;

export function createFunctionRepository(database: Store) {
  const put = database.query(`INSERT INTO model_function ${valuesOf(functionColumns)}`);
  const setting = database.query('SELECT value FROM model_setting WHERE key = +?');
  const putSetting = database.query('INSERT OR IGNORE INTO model_setting (key, value) VALUES (?, ?)');

  return {
    ...createNamedRows<FunctionRow>(database, 'model_function'),
    insert: (row: NewFunction) => void put.run(row),
    update: (name: string, change: FunctionChange): void =>
      setColumns(database, 'model_function', { name }, functionColumns, change),
    /** A value that is created once per data directory. */
    setting(key: string, make: () => string): string {
      const read = () => (setting.get(key) as { value: string } | undefined)?.value;
      const known = read();
      if (known !== undefined) return known;
      putSetting.run(key, make());
      return read() ?? '';
    },
    projects: createProjectRows(database),
    dashboards: createDashboardRows(database),
    engines: createEngineRows(database),
    runs: createRunRows(database),
  };
}

function createProjectRows(database: Store) {
  const list = database.query('SELECT * FROM model_project ORDER BY name');
  const put = database.query(
    `INSERT INTO model_project (name, description, created_date) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET description = excluded.description`,
  );
  const remove = database.query('DELETE FROM model_project WHERE name = +?');
  return {
    list: () => list.all() as ProjectRow[],
    put: (name: string, description: string, date: string) => void put.run(name, description, date),
    remove: (name: string) => void remove.run(name),
  };
}

function createDashboardRows(database: Store) {
  const list = database.query('SELECT * FROM model_dashboard ORDER BY id');
  const one = database.query('SELECT * FROM model_dashboard WHERE id = +?');
  const insert = database.query(`INSERT INTO model_dashboard ${valuesOf(dashboardColumns)}`);
  const remove = database.query('DELETE FROM model_dashboard WHERE id = +?');
  return {
    list: () => list.all() as DashboardRow[],
    get: (id: number) => one.get(id) as DashboardRow | undefined,
    insert: (row: Omit<DashboardRow, 'id'>) => Number(insert.run(row).lastInsertRowid),
    remove: (id: number) => remove.run(id).changes === 1,
  };
}

function createEngineRows(database: Store) {
  const list = database.query('SELECT * FROM model_engine ORDER BY name');
  const insert = database.query(`INSERT INTO model_engine ${valuesOf(engineColumns)}`);
  const remove = database.query('DELETE FROM model_engine WHERE name = +?');
  return {
    list: () => list.all() as EngineRow[],
    insert: (row: Omit<EngineRow, 'id'>) => void insert.run(row),
    remove: (name: string) => remove.run(name).changes === 1,
  };
}

function createRunRows(database: Store) {
  const one = database.query('SELECT * FROM model_run WHERE task_id = +? AND job_id = +? AND function_id = +?');
  const put = database.query(`INSERT OR REPLACE INTO model_run ${valuesOf(runColumns)}`);
  const remove = database.query('DELETE FROM model_run WHERE task_id = +? AND job_id = +? AND function_id = +?');
  return {
    get: (taskId: number, jobId: number, functionId: string) =>
      one.get(taskId, jobId, functionId) as RunRow | undefined,
    put: (row: RunRow) => void put.run(row),
    remove: (taskId: number, jobId: number, functionId: string) => void remove.run(taskId, jobId, functionId),
  };
}
