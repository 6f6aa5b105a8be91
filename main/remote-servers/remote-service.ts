import { X509Certificate } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type {
  RemoteCheckoutWrite,
  RemoteComparison,
  RemoteItem,
  RemoteItemsQuery,
  RemoteJob,
  RemotePublicationWrite,
  RemotePulled,
  RemotePullWrite,
  RemotePushed,
  RemotePushWrite,
  RemoteServer,
  RemoteServerPatch,
  RemoteServerWrite,
} from '../../preload/contract/schema/remotes.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import type { RequestQueue } from '../background-requests/request-queue.ts';
import { defined } from '../platform/defined.ts';
import { AppError, invalidField, notFound } from '../platform/errors.ts';
import { listFolder } from '../platform/list-folder.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { accessTokenMayNot, type Actor, type Credentials } from '../users/access/actor.ts';
import type { AddressSettings } from '../webhooks/delivery/address-policy.ts';
import {
  checkoutRefusal,
  createCheckoutRunner,
  type CheckoutDependencies,
  type CheckoutParameters,
} from './checkout.ts';
import { createRemoteExchange } from './exchange.ts';
import { createPublishRunner, type PublishDependencies, type PublishParameters } from './publish.ts';
import { createRemoteRepository, type LinkRow, type ServerRow } from './remote-repository.ts';
import {
  aboutAnswer,
  jobAnswer,
  organizationAnswer,
  pageOf,
  projectAnswer,
  selfAnswer,
  taskAnswer,
} from './server-answers.ts';
import { openServer, type CvatServer } from './server-client.ts';

export interface RemoteDependencies extends Omit<PublishDependencies, 'remotes' | 'exchange' | 'open' | 'users'> {
  readonly users: PublishDependencies['users'];
  readonly secrets: SecretBox;
  readonly addressSettings: () => AddressSettings;
  readonly requests: RequestService;
  readonly queue: Pick<RequestQueue, 'register'>;
}

/** Product versions of CVAT that are known to be compatible. */
const oldestVersion = [2, 73] as const;
const newestVersion = [2, 80] as const;
const maxServers = 50;

export type RemoteService = ReturnType<typeof createRemoteService>;

/** CVAT servers of a user: connections, what is on them, and jobs that follow a job there. */
export function createRemoteService(given: RemoteDependencies) {
  const { database, clock, requests, queue, secrets, addressSettings } = given;
  const remotes = createRemoteRepository(database);

  async function open<Result>(
    row: Pick<ServerRow, 'address' | 'token' | 'certificate'>,
    use: (server: CvatServer) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { address, certificate } = row;
    const server = await openServer({ address, certificate, token: secrets.open(row.token) }, addressSettings, signal);
    try {
      return await use(server);
    } finally {
      await server.close();
    }
  }

  const exchange = createRemoteExchange({ ...given, remotes });
  const dependencies: PublishDependencies & CheckoutDependencies = { ...given, remotes, exchange, open };
  queue.register('checkout:remote', createCheckoutRunner(dependencies));
  queue.register('publish:remote', createPublishRunner(dependencies));

  function own(actor: Actor, id: number): ServerRow {
    const row = remotes.server(id, actor.userId);
    if (!row) throw notFound('You have no such server.');
    return row;
  }
  function ownLink(actor: Actor, id: number): LinkRow {
    const row = remotes.link(id, actor.userId);
    if (!row) throw notFound('You have no such job of a server.');
    return row;
  }
  const present = (actor: Actor, id: number): RemoteServer => {
    const { name, address, certificate, version, username, created_date } = own(actor, id);
    return {
      id,
      name,
      address,
      has_certificate: certificate !== '',
      version,
      username,
      created_date,
      job_count: remotes.linkCount(id),
      frame_bytes: remotes.frameBytes(actor.userId),
    };
  };
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

  function requireName(actor: Actor, name: string, id: number | null): void {
    if (remotes.servers(actor.userId).some((row) => row.name === name && row.id !== id))
      throw invalidField('name', `You already have a server named "${name}".`);
  }

  const checked = (row: Pick<ServerRow, 'address' | 'token' | 'certificate'>, signal: AbortSignal) =>
    open(row, identify, signal);

  return {
    list: (actor: Actor): RemoteServer[] => remotes.servers(actor.userId).map(({ id }) => present(actor, id)),
    async create(
      actor: Actor,
      credentials: Credentials,
      body: RemoteServerWrite,
      signal: AbortSignal,
    ): Promise<RemoteServer> {
      requirePassword(credentials);
      requireName(actor, body.name, null);
      if (remotes.servers(actor.userId).length >= maxServers)
        throw invalidField('name', `You already have ${maxServers} servers. Delete one that is not in use.`);
      const row = {
        name: body.name,
        address: parsedAddress(body.address),
        certificate: parsedCertificate(body.certificate),
        token: secrets.seal(body.token),
      };
      const found = await checked(row, signal);
      const whole = { ...row, ...found, owner_id: actor.userId, created_date: clock() };
      return present(
        actor,
        database.write(() => remotes.insertServer(whole)),
      );
    },
    async update(
      actor: Actor,
      credentials: Credentials,
      id: number,
      body: RemoteServerPatch,
      signal: AbortSignal,
    ): Promise<RemoteServer> {
      requirePassword(credentials);
      const before = own(actor, id);
      if (body.name !== undefined) requireName(actor, body.name, id);
      const { name, address, certificate, token } = body;
      // A token must not be sent to an address that its owner did not enter it for.
      if (address !== undefined && parsedAddress(address) !== before.address && token === undefined)
        throw invalidField('token', 'Enter the access token again, because the address changes.');
      const row: ServerRow = {
        ...before,
        ...defined({ name }),
        ...(address === undefined ? {} : { address: parsedAddress(address) }),
        ...(certificate === undefined ? {} : { certificate: parsedCertificate(certificate) }),
        ...(token === undefined ? {} : { token: secrets.seal(token) }),
      };
      const isSame =
        row.address === before.address && row.token === before.token && row.certificate === before.certificate;
      const next = isSame ? row : { ...row, ...(await checked(row, signal)) };
      database.write(() => remotes.updateServer(next));
      return present(actor, id);
    },
    async check(actor: Actor, id: number, signal: AbortSignal): Promise<RemoteServer> {
      const row = own(actor, id);
      const found = await checked(row, signal);
      database.write(() => remotes.updateServer({ ...row, ...found }));
      return present(actor, id);
    },
    remove(actor: Actor, credentials: Credentials, id: number): void {
      requirePassword(credentials);
      own(actor, id);
      database.write(() => remotes.removeServer(id));
    },
    async browse(actor: Actor, id: number, query: RemoteItemsQuery, signal: AbortSignal) {
      const row = own(actor, id);
      const linkOf = (remoteJob: number): number | null => remotes.linkOf(id, remoteJob)?.id ?? null;
      return open(row, (server) => itemsOf(server, query, linkOf), signal);
    },
    checkOut(actor: Actor, id: number, body: RemoteCheckoutWrite): { rq_id: string } {
      own(actor, id);
      const parameters: CheckoutParameters = { ...body, serverId: id };
      return requests.start(actor, {
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
      return requests.start(actor, {
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
      const found = await open(
        own(actor, link.server_id),
        (server) => exchange.compare({ actor, link, server }),
        signal,
      );
      return { job: presentLink(ownLink(actor, id)), ...found };
    },
    async pull(actor: Actor, id: number, body: RemotePullWrite, signal: AbortSignal): Promise<RemotePulled> {
      const link = ready(ownLink(actor, id));
      const done = await open(
        own(actor, link.server_id),
        (server) => exchange.pull({ actor, link, server }, body),
        signal,
      );
      return { job: presentLink(ownLink(actor, id)), ...done };
    },
    async push(actor: Actor, id: number, { dry_run: isDry }: RemotePushWrite): Promise<RemotePushed> {
      const link = ready(ownLink(actor, id));
      // A push is not ended when its client leaves: the server would have a part of it.
      const done = await open(own(actor, link.server_id), (server) => exchange.push({ actor, link, server }, isDry));
      return { job: presentLink(ownLink(actor, id)), ...done };
    },
    release(actor: Actor, id: number): void {
      ownLink(actor, id);
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

function requirePassword(credentials: Credentials): void {
  if (credentials.kind === 'access-token') throw accessTokenMayNot('manage connections to servers');
}

function ready(link: LinkRow): LinkRow {
  if (link.is_ready === 1) return link;
  throw new AppError('conflict', `The checkout of "${link.name}" is not complete. Check it out again to continue.`);
}

async function identify(server: CvatServer): Promise<{ readonly version: string; readonly username: string }> {
  const { version } = await server.read(aboutAnswer, '/api/server/about');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isAtLeast = ([a, b]: readonly [number, number]): boolean => major > a || (major === a && minor >= b);
  const isNewer = major > newestVersion[0] || (major === newestVersion[0] && minor > newestVersion[1]);
  if (!isAtLeast(oldestVersion) || isNewer) {
    const range = `${oldestVersion.join('.')} to ${newestVersion.join('.')}`;
    const message = `${server.host} runs CVAT ${version}. Limner exchanges with CVAT ${range}. Use a server of such a version.`;
    throw new AppError('conflict', message);
  }
  const { username } = await server.read(selfAnswer, '/api/users/self');
  return { version, username };
}

function parsedAddress(text: string): string {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  )
    throw invalidField(
      'address',
      `"${text}" is not the address of a server. Enter one such as https://cvat.example.org.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function parsedCertificate(text: string): string {
  if (text.trim() === '') return '';
  try {
    return new X509Certificate(text).toString();
  } catch {
    throw invalidField('certificate', 'This is not a certificate. Give the file of the authority in PEM format.');
  }
}

const noItem = {
  slug: null,
  project_id: null,
  task_id: null,
  child_count: null,
  frame_count: null,
  start_frame: null,
  stop_frame: null,
  stage: null,
  state: null,
  type: null,
  assignee: null,
  refusal: null,
  remote_job_id: null,
};

async function itemsOf(
  server: CvatServer,
  { kind, ...query }: RemoteItemsQuery,
  linkOf: (remoteJob: number) => number | null,
): Promise<{ count: number; results: RemoteItem[] }> {
  const path = `/api/${kind}s`;
  if (kind === 'organization') {
    const { count, results } = await server.read(pageOf(organizationAnswer), path, { ...query, org: undefined });
    return {
      count,
      results: results.map(({ id, slug, name, updated_date: date }) => ({
        ...noItem,
        kind,
        id,
        slug,
        name: name || slug,
        updated_date: date ?? null,
      })),
    };
  }
  if (kind === 'project') {
    const { count, results } = await server.read(pageOf(projectAnswer), path, query);
    return {
      count,
      results: results.map(({ id, name, tasks, assignee, status, updated_date, ...media }) => ({
        ...noItem,
        kind,
        id,
        name,
        child_count: tasks.count,
        assignee: assignee?.username ?? null,
        state: status ?? null,
        updated_date,
        refusal: checkoutRefusal(media),
      })),
    };
  }
  if (kind === 'task') {
    const { count, results } = await server.read(pageOf(taskAnswer), path, query);
    return {
      count,
      results: results.map(({ id, name, project_id, jobs, size, assignee, status, updated_date, ...media }) => ({
        ...noItem,
        kind,
        id,
        name,
        project_id: project_id ?? null,
        child_count: jobs.count,
        frame_count: size ?? null,
        assignee: assignee?.username ?? null,
        state: status ?? null,
        updated_date,
        refusal: checkoutRefusal(media),
      })),
    };
  }
  const { count, results } = await server.read(pageOf(jobAnswer), path, query);
  return {
    count,
    results: results.map((job) => ({
      ...noItem,
      kind,
      id: job.id,
      name: `${job.task_name ?? `Task ${job.task_id}`}, job ${job.id}`,
      project_id: job.project_id ?? null,
      task_id: job.task_id,
      frame_count: job.frame_count ?? job.stop_frame - job.start_frame + 1,
      start_frame: job.start_frame,
      stop_frame: job.stop_frame,
      stage: job.stage,
      state: job.state,
      type: job.type,
      assignee: job.assignee?.username ?? null,
      updated_date: job.updated_date,
      refusal: checkoutRefusal(job),
      remote_job_id: linkOf(job.id),
    })),
  };
}
