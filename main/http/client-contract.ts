import type { OutputOf } from '../../preload/contract/operation.ts';
import type { OperationId, Operations } from '../../preload/contract/operations/index.ts';
import type { Job, Task } from '../../preload/contract/schema/resources.ts';
import type { User } from '../../preload/contract/schema/server.ts';
import { eventKinds, type Webhook } from '../../preload/contract/schema/webhooks.ts';
import { newestVersion } from './versioning.ts';

/** Releases of CVAT whose clients are served. Their contracts differ in a few answers. */
export type ClientContract = '2.73' | '2.80';

/**
 * The contract that a client expects, by the release of cvat-sdk that it names in `User-Agent`: 2.80 from 2.74 on. Null
 * for other clients, such as browsers, which are answered with the fields of both.
 */
export function contractOf(userAgent: string | null): ClientContract | null {
  const named = userAgent === null ? null : /\bcvat_sdk\/(\d+)\.(\d+)/.exec(userAgent);
  if (named === null) return null;
  const [major, minor] = [Number(named[1]), Number(named[2])];
  return major > 2 || (major === 2 && minor >= 74) ? '2.80' : '2.73';
}

type Answers = { readonly [Id in OperationId]?: (answer: OutputOf<Operations[Id]>) => unknown };

const page =
  <Item>(of: (item: Item) => unknown) =>
  (answer: { readonly results: readonly Item[] }) => ({ ...answer, results: answer.results.map(of) });

function without<Value extends object>(value: Value, ...names: (keyof Value)[]): Partial<Value> {
  const rest: Partial<Value> = { ...value };
  for (const name of names) delete rest[name];
  return rest;
}

const oldTask = (task: Task) => without(task, 'initial_replicas');
const newTask = (task: Task) => without(task, 'consensus_enabled');
const newJob = (job: Job) => ({
  ...without(job, 'consensus_replicas'),
  type: job.type === 'consensus_replica' ? 'replica' : job.type,
});

const profileFields = [
  'cvat_usage_reason',
  'primary_role',
  'planned_activities',
  'data_types',
  'discovery_source',
  'email_verified',
  'created_via',
] as const;
const oldUser = <Value extends object>(user: Value) => without(user as Value & User, ...profileFields);

const serverEvents: ReadonlySet<string> = new Set(
  eventKinds.filter(({ types }) => types.includes('server')).map(({ key }) => key),
);
/** Clients of 2.73 cannot read the type of server webhooks and the names of their events. */
const oldWebhook = (webhook: Webhook) => ({
  ...webhook,
  type: webhook.type === 'server' ? 'organization' : webhook.type,
  events: webhook.events.filter((key) => !serverEvents.has(key)),
});

/** Differences of the answers to clients of each release, by operation. */
const answers: Readonly<Record<ClientContract, Answers>> = {
  '2.73': {
    createTask: oldTask,
    getTask: oldTask,
    updateTask: oldTask,
    listTasks: page(oldTask),
    self: oldUser,
    getUser: oldUser,
    updateUser: oldUser,
    listUsers: page(oldUser),
    createWebhook: oldWebhook,
    getWebhook: oldWebhook,
    updateWebhook: oldWebhook,
    listWebhooks: page(oldWebhook),
    replaceWebhook: oldWebhook,
    listWebhookEvents: (kinds) => ({ ...kinds, events: kinds.events.filter(({ key }) => !serverEvents.has(key)) }),
  },
  '2.80': {
    about: (about) => ({ ...about, version: newestVersion }),
    createTask: newTask,
    getTask: newTask,
    updateTask: newTask,
    listTasks: page(newTask),
    createJob: newJob,
    getJob: newJob,
    updateJob: newJob,
    listJobs: page(newJob),
  },
};

/** An answer in the form of the client's contract. */
export function answerFor(contract: ClientContract | null, id: OperationId, answer: unknown): unknown {
  if (contract === null) return answer;
  // The table pairs each id with the type of its answers.
  const translate = answers[contract][id] as ((answer: unknown) => unknown) | undefined;
  return translate ? translate(answer) : answer;
}

type Query = Readonly<Record<string, unknown>>;

/** Names of replicas in the filters of clients of 2.74 and later. */
const newJobQuery = (query: Query): Query => {
  const { type, filter } = query;
  return {
    ...query,
    ...(type === 'replica' && { type: 'consensus_replica' }),
    ...(typeof filter === 'string' && { filter: filter.replaceAll('"replica"', '"consensus_replica"') }),
  };
};

/** A query in the form that the handlers expect. */
export const queryFor = (contract: ClientContract | null, id: OperationId, query: unknown): unknown =>
  // Queries are parsed into objects.
  contract === '2.80' && id === 'listJobs' ? newJobQuery(query as Query) : query;
