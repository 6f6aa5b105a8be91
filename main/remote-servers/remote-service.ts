import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type {
  RemoteCheckoutWrite,
  RemoteComparison,
  RemoteItemsQuery,
  RemoteJob,
  RemotePublicationWrite,
  RemotePullWrite,
  RemotePushWrite,
  RemoteResult,
} from '../../preload/contract/schema/remotes.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import type { RequestQueue } from '../background-requests/request-queue.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { listFolder } from '../platform/list-folder.ts';
import type { SecretBox } from '../platform/secrets.ts';
import type { Actor } from '../users/access/actor.ts';
import type { AddressSettings } from '../platform/network/address-policy.ts';
import { createCheckoutRunner, type CheckoutDependencies, type CheckoutParameters } from './checkout.ts';
import { createConnections } from './connections.ts';
import { createExchangeRequests } from './exchange-requests.ts';
import { createExchangeRunner } from './exchange-runner.ts';
import { createRemoteExchange } from './exchange.ts';
import { createPublishRunner, type PublishDependencies, type PublishParameters } from './publish.ts';
import { createRemoteRepository, type LinkRow } from './remote-repository.ts';
import { createRunningRequests } from './running-requests.ts';
import type { CvatServer } from './server-client.ts';
import { itemsOf } from './server-items.ts';

export interface RemoteDependencies extends Omit<PublishDependencies, 'remotes' | 'exchange' | 'open' | 'users'> {
  readonly users: PublishDependencies['users'];
  readonly secrets: SecretBox;
  readonly addressSettings: () => AddressSettings;
  readonly requests: RequestService;
  readonly queue: Pick<RequestQueue, 'register'>;
}

/** CVAT servers of a user: connections, what is on them, and jobs that follow a job there. */
export function createRemoteService(given: RemoteDependencies) {
  const { database, clock, requests, queue, secrets, addressSettings } = given;
  const remotes = createRemoteRepository(database);

  const running = createRunningRequests(requests, remotes);
  const connections = createConnections({ database, clock, secrets, addressSettings, remotes, running });
  const { own, open } = connections;
  const { annotations, issues, jobs, tasks, labelRows } = given;
  const { issueService, jobService, taskService, projectService } = given;
  const exchange = createRemoteExchange({
    database,
    clock,
    remotes,
    annotations,
    issues,
    jobs,
    tasks,
    labelRows,
    issueService,
    jobService,
    taskService,
    projectService,
  });
  const dependencies: PublishDependencies & CheckoutDependencies = { ...given, remotes, exchange, open };
  queue.register('checkout:remote', createCheckoutRunner(dependencies));
  queue.register('publish:remote', createPublishRunner(dependencies));
  for (const action of ['pull', 'push'] as const)
    queue.register(`${action}:remote`, createExchangeRunner(dependencies, action));

  const exchanges = createExchangeRequests(requests);

  function ownLink(actor: Actor, id: number): LinkRow {
    const row = remotes.link(id, actor.userId);
    if (!row) throw notFound('You have no such job of a server.');
    return row;
  }
  function presentLink(row: LinkRow): RemoteJob {
    const { count, bytes } = remotes.stored(row.id);
    const isHere = row.job_id !== null;
    return {
      id: row.id,
      server_id: row.server_id,
      name: row.name,
      remote_job_id: row.remote_job_id,
      remote_task_id: row.remote_task_id,
      remote_project_id: row.remote_project_id,
      task_id: row.task_id,
      job_id: row.job_id,
      frame_count: row.frame_count,
      stored_frame_count: isHere ? row.frame_count : count,
      frame_bytes: bytes,
      state: row.is_ready === 1 ? 'out' : 'checking_out',
      is_push_interrupted: remotes.isSending(row.id),
      pulled_date: row.pulled_date,
      pushed_date: row.pushed_date,
    };
  }

  return {
    ...connections.methods,
    async browse(actor: Actor, id: number, query: RemoteItemsQuery, signal: AbortSignal) {
      const row = own(actor, id);
      const linkOf = (remoteJob: number): number | null => remotes.linkOf(id, remoteJob)?.id ?? null;
      return reading(open(row, (server) => itemsOf(server, query, linkOf), signal));
    },
    checkOut(actor: Actor, id: number, body: RemoteCheckoutWrite): { rq_id: string } {
      own(actor, id);
      const parameters: CheckoutParameters = { ...body, serverId: id };
      return requests.startOnce(actor, {
        key: {
          action: 'import',
          target: body.kind,
          uuid: `${id}-${body.id}`,
          userId: actor.userId,
          subresource: 'remote',
        },
        type: 'checkout:remote',
        parameters: { ...parameters },
      });
    },
    publish(actor: Actor, id: number, body: RemotePublicationWrite): { rq_id: string } {
      own(actor, id);
      if (body.kind === 'task') given.access.task(actor, body.id, 'view:data', 'view:annotations');
      else given.access.project(actor, body.id, 'view');
      const parameters: PublishParameters = { ...body, serverId: id };
      return requests.startOnce(actor, {
        key: { action: 'export', target: body.kind, targetId: body.id, userId: actor.userId, subresource: 'remote' },
        type: 'publish:remote',
        ...(body.kind === 'task' ? { taskId: body.id } : { projectId: body.id }),
        parameters: { ...parameters },
      });
    },
    jobs(actor: Actor, serverId: number | null): RemoteJob[] {
      const rows = remotes.links(actor.userId);
      return rows.filter((row) => serverId === null || row.server_id === serverId).map(presentLink);
    },
    async compare(actor: Actor, id: number, signal: AbortSignal): Promise<RemoteComparison> {
      const link = ownLink(actor, id);
      const compare = (server: CvatServer) => exchange.compare({ actor, link, server }, signal);
      const compared = open(own(actor, link.server_id), compare, signal);
      const found = await reading(compared);
      return { job: presentLink(ownLink(actor, id)), ...found };
    },
    pull: (actor: Actor, id: number, body: RemotePullWrite) =>
      exchanges.start(actor, ready(ownLink(actor, id)), 'pull', body),
    push: (actor: Actor, id: number, body: RemotePushWrite) =>
      exchanges.start(actor, ready(ownLink(actor, id)), 'push', { ...body, decisions: [] }),
    result(actor: Actor, requestId: string): RemoteResult {
      const { linkId, ...done } = exchanges.result(actor, requestId);
      return { ...done, job: presentLink(ownLink(actor, linkId)) };
    },
    release(actor: Actor, id: number): void {
      running.requireNoneOfJob(actor.userId, ownLink(actor, id));
      database.write(() => remotes.removeLink(id));
    },
    /** Deletes downloaded files of checkouts that were given up. */
    housekeep(): void {
      const folder = join(given.dataDirectory, 'data', 'remote-jobs');
      for (const name of listFolder(folder))
        if (!remotes.isCheckingOut(Number(name))) rmSync(join(folder, name), { recursive: true, force: true });
    },
  };
}

/** Reading changes nothing, so it cannot be in conflict: the server is the reason. */
async function reading<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError('unavailable', error.message, undefined, { cause: error });
  }
}

function ready(link: LinkRow): LinkRow {
  if (link.is_ready === 1) return link;
  throw new AppError('conflict', `The checkout of "${link.name}" is not complete. Check it out again to continue.`);
}
