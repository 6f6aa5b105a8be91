import type { OutputOf } from '../../preload/contract/operation.ts';
import type { OperationId, Operations } from '../../preload/contract/operations/index.ts';
import {
  usualChoices,
  type QualityChoices,
  type QualityConflict,
  type QualityReport,
  type QualitySettings,
} from '../../preload/contract/schema/quality.ts';
import type { TargetMetric } from '../../preload/contract/schema/quality-requirements.ts';
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

/** 2.80 has thresholds only in requirements. Its settings keep these two. */
const settingsOf280: ReadonlySet<string> = new Set(['job_filter', 'max_validations_per_job']);
const thresholds = (Object.keys(usualChoices) as (keyof QualityChoices)[]).filter((name) => !settingsOf280.has(name));
/** 2.73 knows a metric over all objects only, and not the Jaccard index and Dice. */
function oldMetric(metric: TargetMetric): TargetMetric {
  const name = metric.replace(/^(?:mean|label)_/, '');
  return name === 'precision' || name === 'recall' ? name : 'accuracy';
}
const oldSettings = (settings: QualitySettings) => ({
  ...without(settings, 'requirements'),
  target_metric: oldMetric(settings.target_metric),
});
const newSettings = (settings: QualitySettings) => without(settings, ...thresholds);
const oldConflict = (conflict: QualityConflict) => without(conflict, 'attribute_names');
const newConflict = (conflict: QualityConflict) => ({ ...conflict, severity: 'error' });

const oldReport = ({ summary: { jobs, tasks, ...summary }, ...report }: QualityReport) => ({
  ...report,
  summary: {
    ...without(summary, 'requirements', 'requirement_conflicts'),
    ...(jobs && { jobs: without(jobs, 'completed') }),
    ...(tasks && { tasks: without(tasks, 'completed') }),
  },
});
/** Reports of 2.80 have scores by requirement, and their conflicts are those that requirements found. */
const newReport = ({ summary, ...report }: QualityReport) => {
  const { jobs, tasks, requirements, requirement_conflicts: conflicts } = summary;
  const { total_frames, validation_frames, validation_frame_share } = summary;
  return {
    ...report,
    summary: {
      total_frames,
      validation_frames,
      validation_frame_share,
      ...conflicts,
      requirements: {
        ...requirements,
        items: requirements.items.map(({ calculation: { status, reason }, ...item }) => ({
          ...item,
          calculation: reason === null ? { status } : { status, reason },
        })),
      },
      ...(jobs && { jobs }),
      ...(tasks && { tasks }),
    },
  };
};

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
    listQualityReports: page(oldReport),
    getQualityReport: oldReport,
    listQualityConflicts: page(oldConflict),
    listQualitySettings: page(oldSettings),
    getQualitySettings: oldSettings,
    updateQualitySettings: oldSettings,
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
    listQualityReports: page(newReport),
    getQualityReport: newReport,
    listQualityConflicts: page(newConflict),
    listQualitySettings: page(newSettings),
    getQualitySettings: newSettings,
    updateQualitySettings: newSettings,
    replaceQualitySettings: newSettings,
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

/** Clients of 2.74 and later get the conflicts that requirements found. All of these are errors for them. */
const newConflictQuery = ({ severity, ...query }: Query): Query => ({
  ...query,
  ...(severity !== 'error' && severity !== undefined && { severity }),
  by_requirements: 'true',
});

const newQueries: { readonly [Id in OperationId]?: (query: Query) => Query } = {
  listJobs: newJobQuery,
  listQualityConflicts: newConflictQuery,
};

/** A query in the form that the handlers expect. */
export function queryFor(contract: ClientContract | null, id: OperationId, query: unknown): unknown {
  const translate = contract === '2.80' ? newQueries[id] : undefined;
  // Queries are parsed into objects.
  return translate ? translate(query as Query) : query;
}
