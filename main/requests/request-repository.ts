import { equalFields, type ListDefinition } from '../db/filters.ts';
import type { Database } from '../db/open.ts';

export type RequestStatus = 'queued' | 'started' | 'failed' | 'finished';

export interface RequestRow {
  readonly id: string;
  /** For example `export:dataset`. */
  readonly type: string;
  readonly target: 'project' | 'task' | 'job' | 'events';
  readonly subresource: string;
  readonly project_id: number | null;
  readonly task_id: number | null;
  readonly job_id: number | null;
  readonly organization_id: number | null;
  readonly format: string | null;
  readonly owner_id: number | null;
  /** Where the owner reached the service: `http://localhost:8080`. Empty in rows of earlier versions. */
  readonly origin: string;
  readonly owner_username: string | null;
  readonly status: RequestStatus;
  readonly message: string;
  readonly progress: number | null;
  /** JSON of what the request's runner needs. */
  readonly parameters: string;
  /** How often it was begun and neither ended nor put back by an orderly stop: how often the process ended in it. */
  readonly attempts: number;
  /** Of these, how often by the program's own fault. */
  readonly own_ends: number;
  /** JSON of a format report. */
  readonly report: string | null;
  readonly result_file: string | null;
  readonly result_name: string | null;
  readonly result_id: number | null;
  readonly created_date: string;
  readonly started_date: string | null;
  readonly finished_date: string | null;
  readonly expiry_date: string | null;
}

export type NewRequest = Pick<
  RequestRow,
  | 'id'
  | 'type'
  | 'target'
  | 'subresource'
  | 'project_id'
  | 'task_id'
  | 'job_id'
  | 'organization_id'
  | 'format'
  | 'owner_id'
  | 'origin'
  | 'parameters'
  | 'created_date'
>;

export interface RequestEnd {
  readonly status: 'failed' | 'finished';
  readonly message: string;
  readonly report: string | null;
  readonly result_file: string | null;
  readonly result_name: string | null;
  readonly result_id: number | null;
  readonly finished_date: string;
  readonly expiry_date: string;
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

export type RequestRepository = ReturnType<typeof createRequestRepository>;

export function createRequestRepository(database: Database) {
  const one = database.prepare(`SELECT ${select} FROM ${from} WHERE request.id = ?`);
  const queued = database.prepare(`SELECT ${select} FROM ${from} WHERE status = 'queued' ORDER BY created_date, id`);
  const put = database.prepare(
    `INSERT OR REPLACE INTO request (id, type, target, subresource, project_id, task_id, job_id, organization_id,
       format, owner_id, origin, status, parameters, created_date)
     VALUES (@id, @type, @target, @subresource, @project_id, @task_id, @job_id, @organization_id, @format, @owner_id,
       @origin, 'queued', @parameters, @created_date)`,
  );
  const start = database.prepare(
    "UPDATE request SET status = 'started', started_date = ?, attempts = attempts + 1, progress = 0 WHERE id = ?",
  );
  const end = database.prepare(
    `UPDATE request SET status = @status, message = @message, report = @report, result_file = @result_file,
       result_name = @result_name, result_id = @result_id, finished_date = @finished_date, expiry_date = @expiry_date,
       progress = CASE WHEN @status = 'finished' THEN 1 ELSE progress END
     WHERE id = @id`,
  );
  const unfinished = database.prepare(`SELECT ${select} FROM ${from} WHERE status IN ('queued', 'started')`);
  const requeue = database.prepare(
    "UPDATE request SET status = 'queued', message = @message, own_ends = @own_ends WHERE id = @id",
  );
  const release = database.prepare("UPDATE request SET status = 'queued', attempts = attempts - 1 WHERE id = ?");
  const expired = database.prepare('SELECT id, result_file FROM request WHERE expiry_date < ?');
  const keep = database.prepare('UPDATE request SET expiry_date = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM request WHERE id = ?');

  return {
    get: (id: string) => one.get(id) as RequestRow | undefined,
    queued: () => queued.all() as RequestRow[],
    put: (request: NewRequest) => void put.run(request),
    start: (id: string, date: string) => void start.run(date, id),
    /** After an orderly stop: waits for the next start, and the attempt does not count. */
    release: (id: string) => void release.run(id),
    end: (id: string, result: RequestEnd) => void end.run({ id, ...result }),
    unfinished: () => unfinished.all() as RequestRow[],
    /** At start: what a crash interrupted waits again. */
    requeue: (request: Pick<RequestRow, 'id' | 'message' | 'own_ends'>) => void requeue.run(request),
    expired: (now: string) => expired.all(now) as Pick<RequestRow, 'id' | 'result_file'>[],
    keepUntil: (id: string, date: string) => void keep.run(date, id),
    remove: (id: string) => void remove.run(id),
  };
}
