import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { hashPassword } from '../../../main/users/auth/password-hash.ts';
import { createSignIn } from '../../../main/users/sign-in.ts';
import { createServices } from '../../../main/composition/services.ts';
import type { FunctionOptions } from '../../../main/composition/models.ts';
import type { WebhookOptions } from '../../../main/webhooks/webhooks.ts';
import type { Group } from '../../../main/users/access/access-table.ts';
import { openNewStore } from '../../support/new-store.ts';
import { createHttpService } from '../../../main/http/http-service.ts';
import { startServer } from '../../../main/http/server.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import type {
  AnyOperation,
  BodyInputOf,
  OutputOf,
  ParamsInputOf,
  QueryInputOf,
} from '../../../preload/contract/operation.ts';
import { operations, type OperationId, type Operations } from '../../../preload/contract/operations/index.ts';
import type { Organization, OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { createClient, type TestClient } from '../../support/client.ts';
import { sharedWorkers } from '../../support/shared-workers.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

type Loose<Input> = unknown extends Input ? Record<string, unknown> : Input;

/** Input of a request, typed by the contract; `raw` sends any other body. */
export interface Input<Id extends OperationId> {
  readonly params?: Loose<ParamsInputOf<Operations[Id]>>;
  readonly query?: Partial<Loose<QueryInputOf<Operations[Id]>>>;
  readonly body?: Loose<BodyInputOf<Operations[Id]>>;
  readonly raw?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly group: Group;
  /** The same user's uploads and other steps that need several requests. */
  readonly rest: TestClient;
  call<Id extends OperationId>(id: Id, input?: Input<Id>): Promise<Answer>;
  /** The body of a successful answer, checked against the contract: no key is missing or additional. */
  good<Id extends OperationId>(id: Id, input?: Input<Id>): Promise<OutputOf<Operations[Id]>>;
  refused<Id extends OperationId>(status: number, id: Id, input?: Input<Id>): Promise<unknown>;
}

type Person = Pick<Caller, 'id' | 'username' | 'group'>;

export type PeopleHarness = Awaited<ReturnType<typeof startPeopleHarness>>;

const password = 'a password for tests';
/** Created once, because hashing is slow. */
let passwordHash: string | null = null;

export async function startPeopleHarness(
  options: {
    readonly webhooks?: WebhookOptions;
    readonly functions?: FunctionOptions;
    readonly hasShare?: boolean;
    readonly unprovenBodyMs?: number;
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'limner-people-'));
  mkdirSync(join(folder, 'db'));
  const databaseFile = join(folder, 'db', 'limner.sqlite');
  const database = openNewStore(databaseFile);
  const time = { aheadMs: 0 };
  const nowMs = () => Date.now() + time.aheadMs;
  const clock = () => new Date(nowMs()).toISOString().replace('Z', '000Z');
  const log = createSilentLogger();
  const share = options.hasShare === true ? folder : null;
  const shareDirectory = () => share;
  const reached = { url: '' };
  const core = createServices({
    database,
    databaseFile,
    dataDirectory: folder,
    workers: sharedWorkers,
    clock,
    log,
    shareDirectory,
    webhooks: { baseUrl: () => reached.url, ...options.webhooks },
    ...(options.functions ? { functions: options.functions } : {}),
  });
  const { changes } = core;
  const signIn = createSignIn({ database, clock, nowMs, attemptsPerMinute: 1000, changes });
  const service = createHttpService({
    database,
    dataDirectory: folder,
    core,
    signIn,
    pages: { renderer: join(folder, 'no-renderer'), help: join(folder, 'no-help') },
    shareDirectory,
    log,
  });
  const { unprovenBodyMs } = options;
  const limits = unprovenBodyMs === undefined ? {} : { unprovenBodyMs };
  const server = await startServer({ fetch: service.fetch, port: 0, anyPort: true, log, ...limits });
  reached.url = server.url;
  const owner = await signIn.accounts.ensureOwner();
  passwordHash ??= await hashPassword(password);
  database.query('UPDATE user SET password_hash = ? WHERE id = ?').run(passwordHash, owner.id);

  const anonymous = client(server.url, null);
  const insertUser = database.query(
    `INSERT INTO user (username, email, password_hash, group_name, is_active, date_joined)
     VALUES (@username, @email, '!', @group, @is_active, @date)`,
  );
  const withAuthorization = ({ id, username, group }: Person, authorization: string): Caller => {
    const rest = createClient(server.url, authorization);
    return { ...client(server.url, authorization), rest, id, username, group };
  };
  const as = (id: number, username: string, group: Group): Caller =>
    withAuthorization({ id, username, group }, `Token ${signIn.sessions.openToken(id)}`);

  const admin = as(owner.id, owner.username, 'admin');
  const harness = {
    folder,
    url: server.url,
    core,
    database,
    password,
    anonymous,
    visitor: createClient(server.url, null),
    admin,
    as,
    withAuthorization,
    tokenOf: ({ id }: Person): string => signIn.sessions.openToken(id),
    advance: (milliseconds: number) => void (time.aheadMs += milliseconds),
    addUser(username: string, group: Group = 'user', options: { email?: string; isActive?: boolean } = {}): Caller {
      const { email = `${username}@example.org`, isActive = true } = options;
      const row = { username, email, group, is_active: Number(isActive), date: clock() };
      return as(Number(insertUser.run(row).lastInsertRowid), username, group);
    },
    /** Lets the admin invite an active user, who becomes a member at once. */
    async join(organization: Organization, member: Caller, role: Exclude<OrganizationRole, 'owner'>): Promise<void> {
      await admin.good('createInvitation', {
        query: { org: organization.slug },
        body: { role, email: member.username },
      });
    },
    async stop(): Promise<void> {
      await server.close(0);
      await core.stop();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return harness;
}

/** A harness for all tests of a file. */
export async function usePeopleHarness(...given: Parameters<typeof startPeopleHarness>): Promise<PeopleHarness> {
  const harness = await startPeopleHarness(...given);
  afterAll(() => harness.stop());
  return harness;
}

function client(baseUrl: string, authorization: string | null): Pick<Caller, 'call' | 'good' | 'refused'> {
  async function call<Id extends OperationId>(id: Id, input: Input<Id> = {}): Promise<Answer> {
    const operation: AnyOperation = operations[id];
    const values = (input.params ?? {}) as Record<string, unknown>;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, String(value));
    const headers = new Headers(input.headers);
    if (authorization !== null) headers.set('Authorization', authorization);
    const content = input.raw ?? input.body;
    if (content !== undefined) headers.set('Content-Type', 'application/json');
    const body = content === undefined ? {} : { body: JSON.stringify(content) };
    const response = await fetch(url, { method: operation.method, headers, ...body });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  }
  return {
    call,
    async good<Id extends OperationId>(id: Id, input: Input<Id> = {}) {
      const { status, body } = await call(id, input);
      const operation: AnyOperation = operations[id];
      expect({ status, body }, id).toEqual({ status: operation.status, body });
      if (operation.output) {
        const known = operation.output.safeParse(body);
        expect(known.error?.issues ?? [], id).toEqual([]);
        expect(body, `${id} answers exactly what the contract names`).toEqual(known.data);
      } else expect(body).toBeUndefined();
      return body as OutputOf<Operations[Id]>;
    },
    async refused<Id extends OperationId>(status: number, id: Id, input: Input<Id> = {}) {
      const answer = await call(id, input);
      expect(answer, id).toMatchObject({ status });
      return answer.body;
    },
  };
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
