import { columnOf, number, optionalNumber, optionalText, text, type PartOf, type RowOf } from '../db/columns.ts';
import { equalFields, type ListDefinition } from '../db/filters.ts';
import type { Store } from '../db/store.ts';

export type RequestStatus = 'queued' | 'started' | 'failed' | 'finished';

const requestColumns = {
  id: text('new'),
  /** For example `export:dataset`. */
  type: text('new'),
  target: columnOf<'project' | 'task' | 'job' | 'events' | 'cloudstorage'>()('new'),
  subresource: text('new'),
  project_id: optionalNumber('new'),
  task_id: optionalNumber('new'),
  job_id: optionalNumber('new'),
  organization_id: optionalNumber('new'),
  format: optionalText('new'),
  owner_id: optionalNumber('new'),
  /** Base URL that the owner used, for example `http://localhost:8080`. Empty in rows of earlier versions. */
  origin: text('new'),
  status: columnOf<RequestStatus>()(),
  message: text('change'),
  progress: optionalNumber(),
  /** JSON of the runner's parameters. */
  parameters: text('new'),
  /** Number of runs that neither ended nor were stopped in order, that is, in which the process ended. */
  attempts: number(),
  /** Number of these that were crashes of the program. */
  own_ends: number(),
  /** JSON of a format report. */
  report: optionalText('change'),
  result_file: optionalText('change'),
  result_name: optionalText('change'),
  result_id: optionalNumber('change'),
  created_date: text('new'),
  started_date: optionalText(),
  finished_date: optionalText('change'),
  expiry_date: optionalText('change'),
};

export interface RequestRow extends RowOf<typeof requestColumns> {
  readonly owner_username: string | null;
}
export type NewRequest = PartOf<typeof requestColumns, 'new'>;
export interface RequestEnd extends PartOf<typeof requestColumns, 'change'> {
  readonly status: 'failed' | 'finished';
}

const select = 'request.*, owner.username AS owner_username';
const from = 'request LEFT JOIN user owner ON owner.id = request.owner_id';

export const requestList: ListDefinition = {
  select,
  from,
  fields: {
    id: { sql: 'request.id', type: 'text' },
    ...equalFields('request', {
      text: ['status', 'target', 'subresource', 'format'],
      number: ['project_id', 'task_id', 'job_id'],
    }),
    action: { sql: "substr(request.type, 1, instr(request.type, ':') - 1)", type: 'text', equality: true },
    created_date: { sql: 'request.created_date', type: 'date' },
  },
  search: [],
  sort: '-created_date',
};

/** Notified inside the transaction that stores the end of a request. */
export type RequestEndListener = (row: RequestRow, end: RequestEnd) => void;

export type RequestRepository = ReturnType<typeof createRequestRepository>;

export function createRequestRepository(database: Store, listeners: readonly RequestEndListener[] = []) {
  const one = database.query(`SELECT ${select} FROM ${from} WHERE request.id = +?`);
  const queued = database.query(`SELECT ${select} FROM ${from} WHERE status = 'queued' ORDER BY created_date, id`);
  const ofType = database.query(`SELECT ${select} FROM ${from} WHERE request.type = +? ORDER BY request.created_date`);
  const put = database.query(
    `INSERT OR REPLACE INTO request (id, type, target, subresource, project_id, task_id, job_id, organization_id,
       format, owner_id, origin, status, parameters, created_date)
     VALUES (@id, @type, @target, @subresource, @project_id, @task_id, @job_id, @organization_id, @format, @owner_id,
       @origin, 'queued', @parameters, @created_date)`,
  );
  const start = database.query(
    "UPDATE request SET status = 'started', started_date = ?, attempts = attempts + 1, progress = 0 WHERE id = +?",
  );
  const end = database.query(
    `UPDATE request SET status = @status, message = @message, report = @report, result_file = @result_file,
       result_name = @result_name, result_id = @result_id, finished_date = @finished_date, expiry_date = @expiry_date,
       progress = CASE WHEN @status = 'finished' THEN 1 ELSE progress END
     WHERE id = +@id`,
  );
  const unfinished = database.query(`SELECT ${select} FROM ${from} WHERE status IN ('queued', 'started')`);
  const requeue = database.query(
    "UPDATE request SET status = 'queued', message = @message, own_ends = @own_ends WHERE id = +@id",
  );
  const release = database.query("UPDATE request SET status = 'queued', attempts = attempts - 1 WHERE id = +?");
  const keepReport = database.query('UPDATE request SET report = ? WHERE id = +?');
  const expired = database.query('SELECT id, result_file FROM request WHERE expiry_date < +?');
  const keep = database.query('UPDATE request SET expiry_date = ? WHERE id = +?');
  const remove = database.query('DELETE FROM request WHERE id = +?');

  return {
    get: (id: string) => one.get(id) as RequestRow | undefined,
    queued: () => queued.all() as RequestRow[],
    ofType: (type: string) => ofType.all(type) as RequestRow[],
    put: (request: NewRequest) => void put.run(request),
    start: (id: string, date: string) => void start.run(date, id),
    /** Queues the request again after an orderly stop; the attempt does not count. */
    release: (id: string) => void release.run(id),
    end(id: string, result: RequestEnd): void {
      database.write(() => {
        end.run({ id, ...result });
        const row = one.get(id) as RequestRow | undefined;
        if (row) for (const listener of listeners) listener(row, result);
      });
    },
    unfinished: () => unfinished.all() as RequestRow[],
    /** Queues a request again that a crash interrupted. */
    requeue: (request: Pick<RequestRow, 'id' | 'message' | 'own_ends'>) => void requeue.run(request),
    /** Stores a report before the end, which a restarted run finds in its row. */
    keepReport: (id: string, report: string) => void keepReport.run(report, id),
    expired: (now: string) => expired.all(now) as Pick<RequestRow, 'id' | 'result_file'>[],
    keepUntil: (id: string, date: string) => void keep.run(date, id),
    remove: (id: string) => void remove.run(id),
  };
}
