import type { Request } from '../../preload/contract/schema/resources.ts';
import type { Store } from '../db/store.ts';
import { listRows } from '../db/list-rows.ts';
import { isoAfter, type Clock } from '../platform/clock.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { ImportPreview } from '../../preload/contract/schema/formats.ts';
import type { FormatSummary } from '../formats/kit/report.ts';
import { requireAllowed } from '../users/access/access-rules.ts';
import type { ActionOf } from '../users/access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../users/access/actor.ts';
import { visibleTo } from '../users/access/scope.ts';
import { keptMs } from './request-end.ts';
import { currentRequestId, requestId, type RequestKey } from './request-id.ts';
import { presentRequest } from './request-presenter.ts';
import type { RequestQueue } from './request-queue.ts';
import { requestList, type RequestRepository, type RequestRow } from './request-repository.ts';

export type RequestService = ReturnType<typeof createRequestService>;

export interface StartRequest {
  readonly key: RequestKey;
  readonly type: string;
  readonly projectId?: number | null;
  readonly taskId?: number | null;
  readonly jobId?: number | null;
  readonly organizationId?: number | null;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const columns = { organization: 'request.organization_id', people: { owner: 'request.owner_id' } };

type DataState = 'Queued' | 'Started' | 'Finished' | 'Failed';
const dataStates: Readonly<Record<Request['status'], DataState>> = {
  queued: 'Queued',
  started: 'Started',
  finished: 'Finished',
  failed: 'Failed',
};

/** All users who see the task see these requests and their results. */
const sharedTypes: ReadonlySet<string> = new Set(['calculate:quality', 'merge:task', 'merge:job']);

/** The report of these is the result of an exchange with a server. */
const exchangeTypes: ReadonlySet<string> = new Set(['pull:remote', 'push:remote']);

const unknownRequest = () =>
  new AppError('not-found', 'There is no request with specified id', 'There is no request with specified id');

export function createRequestService(dependencies: {
  readonly database: Store;
  readonly requests: RequestRepository;
  readonly queue: RequestQueue;
  readonly clock: Clock;
  /** True if the actor may see the task of a computation. */
  readonly seesTask: (actor: Actor, taskId: number) => boolean;
}) {
  const { database, requests, queue, clock, seesTask } = dependencies;

  function present(stored: RequestRow, baseUrl: string): Request {
    const row = queue.current(stored);
    return presentRequest(row, baseUrl, queue.live(row.id));
  }

  function open(actor: Actor, id: string, action: ActionOf<'request'>): RequestRow {
    const row = requests.get(id) ?? requests.get(currentRequestId(id));
    if (!row) throw unknownRequest();
    const people = { owner: row.owner_id };
    const isShared = action === 'view' && row.task_id !== null && sharedTypes.has(row.type);
    if (isShared && seesTask(actor, row.task_id)) return queue.current(row);
    requireAllowed(actor, 'request', action, { organizationId: row.organization_id, role: null, people });
    return queue.current(row);
  }

  return {
    /**
     * Returns the request's id. 409 while a request with the same id waits or runs. Finished ones run again: an export
     * depends on more than stored dates (files in place, plug-ins), so an earlier file is never reused.
     */
    start(actor: Actor, start: StartRequest): { rq_id: string } {
      const id = requestId(start.key);
      if (this.isActive(start.key)) {
        const what = start.key.action === 'export' ? 'Export' : 'The same';
        throw new AppError('conflict', `${what} request is being processed`, { rq_id: id });
      }
      queue.enqueue({
        id,
        type: start.type,
        target: start.key.target,
        subresource: start.key.subresource ?? '',
        project_id: start.projectId ?? null,
        task_id: start.taskId ?? null,
        job_id: start.jobId ?? null,
        organization_id: start.organizationId ?? null,
        format: start.key.format ?? null,
        owner_id: actor.userId,
        origin: actor.baseUrl,
        parameters: JSON.stringify(start.parameters),
        created_date: clock(),
      });
      return { rq_id: id };
    },
    /** Returns the id of a request that does the same and waits or runs; otherwise starts one. */
    startOnce(actor: Actor, start: StartRequest): { rq_id: string } {
      const stored = requests.get(requestId(start.key));
      const isSame = stored?.parameters === JSON.stringify(start.parameters);
      return isSame && this.isActive(start.key) ? { rq_id: requestId(start.key) } : this.start(actor, start);
    },
    /** True while a request with this key waits or runs. */
    isActive(key: RequestKey): boolean {
      const stored = requests.get(requestId(key));
      const status = stored && queue.current(stored).status;
      return status === 'queued' || status === 'started';
    },
    /** Requests of these types that wait or run, of all users. */
    active: (types: readonly string[]): RequestRow[] =>
      requests
        .unfinished()
        .filter((row) => types.includes(row.type) && ['queued', 'started'].includes(queue.current(row).status)),
    /** Parameters of a failed request; null if it does not exist or did not fail. */
    failedParameters(key: RequestKey): string | null {
      const stored = requests.get(requestId(key));
      const row = stored && queue.current(stored);
      return row?.status === 'failed' ? row.parameters : null;
    },
    /** State of a task's data preparation; null if unknown. */
    dataState(taskId: number): { state: DataState; message: string; progress: number } | null {
      const stored = requests.get(requestId({ action: 'create', target: 'task', targetId: taskId }));
      if (!stored) return null;
      const { status, message, progress } = present(stored, '');
      return { state: dataStates[status], message, progress: progress ?? 0 };
    },
    list(actor: Actor, request: ListRequest): Listing<Request> {
      const scope = visibleTo(actor, 'request', columns);
      const { count, results } = listRows<RequestRow>(database, requestList, request, scope);
      return { count, results: results.map((row) => present(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: string): Request => present(open(actor, id, 'view'), actor.baseUrl),
    report(actor: Actor, id: string): FormatSummary & { readonly preview?: ImportPreview } {
      const { report, type } = open(actor, id, 'view');
      if (report === null || exchangeTypes.has(type))
        throw new AppError('not-found', 'This request has no report.', { detail: 'This request has no report.' });
      return JSON.parse(report) as FormatSummary & { readonly preview?: ImportPreview };
    },
    /** JSON of the result of a finished pull or push. */
    exchangeResult(actor: Actor, id: string): string {
      const { report, type, status } = open(actor, id, 'view');
      if (report !== null && status === 'finished' && exchangeTypes.has(type)) return report;
      throw notFound('This request has no result of a pull or push.');
    },
    async cancel(actor: Actor, id: string): Promise<void> {
      const row = open(actor, id, 'cancel');
      if (await queue.cancel(id)) return;
      const message = `Requests with status '${row.status}' cannot be cancelled`;
      throw new AppError('invalid', message, message);
    },
    /** File of a finished export. The download extends its lifetime by a day. */
    result(actor: Actor, id: string): { file: string; name: string } {
      const row = open(actor, id, 'download');
      if (row.status !== 'finished' || row.result_file === null) throw unknownRequest();
      requests.keepUntil(row.id, isoAfter(clock(), keptMs.exported));
      return { file: row.result_file, name: row.result_name ?? 'dataset.zip' };
    },
  };
}
