import { type Command, InvalidArgumentError, Option } from 'commander';
import type {
  RemoteConflict,
  RemoteDifference,
  RemoteJob,
  RemoteResult,
  RemoteServer,
} from '../../preload/contract/schema/remotes.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { changesOf } from '../remote-servers/changes-text.ts';
import type { ApiClient } from './api-client.ts';
import { waitForRequest } from './background-request.ts';
import { tableOf } from './collections.ts';
import { addGroup, asking, counted, show, type JsonOptions } from './commands.ts';
import { note, type CliContext } from './context.ts';
import { refused, usage } from './exit-codes.ts';
import {
  addTargetOptions,
  chosenTarget,
  parseCount,
  parseId,
  secretIn,
  textIn,
  type TargetOptions,
} from './options.ts';

type Decision = 'mine' | 'theirs' | 'both';
interface AddOptions extends JsonOptions {
  readonly tokenFile: string;
  readonly certificate?: string;
}
interface ListOptions extends JsonOptions {
  readonly kind: 'organization' | 'project' | 'task' | 'job';
  readonly org?: string;
  readonly search?: string;
  readonly filter?: string;
  readonly task?: number;
  readonly project?: number;
  readonly page?: number;
}
interface CheckoutOptions extends JsonOptions, TargetOptions {
  readonly budget: number;
}
interface PublishOptions extends JsonOptions, TargetOptions {
  readonly org?: string;
}
interface ExchangeOptions extends JsonOptions {
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly conflicts?: Decision;
}

const examples = `
Examples:
  limner remote add team https://cvat.example.org --token-file token.txt
  limner remote list team --kind task --search gate
  limner remote checkout team --task 12 --budget 40GB
  limner remote status team
  limner remote pull team 4101 --conflicts theirs
  limner remote push team --all --dry-run
  limner remote publish team --task 5

A server is given by its name. A job is given by its id on the server. The token file has
an access token of the server's user in its first line.`;

export function addRemoteCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'remote',
    summary: 'check out, pull, push and publish jobs of CVAT servers',
    description: 'Exchanges jobs with CVAT servers (2.73 to 2.80): work offline, then push only what you changed.',
    examples,
  });
  addServers(add, context);
  addTransfers(add, context);
  addExchange(add, context);
}

type Add = (name: string, description: string) => Command;

function addServers(add: Add, context: CliContext): void {
  add('add', 'Connects a CVAT server, or changes the connection of that name.')
    .argument('<name>', 'name of the connection')
    .argument('<address>', 'for example https://cvat.example.org')
    .requiredOption('--token-file <file>', 'file with an access token in its first line')
    .option('--certificate <file>', "certificate of the server's authority (PEM)")
    .action(
      asking(context, async (client, name: string, address: string, options: AddOptions) => {
        const certificate = options.certificate === undefined ? '' : textIn(options.certificate);
        const body = { name, address, token: secretIn(options.tokenFile), certificate };
        const known = (await serversOf(client)).find((server) => server.name === name);
        const server = known
          ? await client.call('updateRemoteServer', { params: { id: known.id }, body })
          : await client.call('createRemoteServer', { body });
        show(
          context,
          options,
          server,
          () => `Connected "${name}": CVAT ${server.version} at ${server.address}, as ${server.username}.`,
        );
      }),
    );
  add('list', 'Lists the servers, or what is on one of them.')
    .argument('[server]', 'name of the connection')
    .addOption(
      new Option('--kind <kind>', 'what to list').choices(['organization', 'project', 'task', 'job']).default('task'),
    )
    .option('--org <slug>', 'only of this organization; "" for personal ones')
    .option('--project <id>', 'only of this project', parseId)
    .option('--task <id>', 'only of this task', parseId)
    .option('--search <text>', 'only with this text')
    .option('--filter <json>', 'JSON Logic, as CVAT takes it')
    .option('--page <number>', 'page of 100', parseCount)
    .action(
      asking(context, async (client, name: string | undefined, options: ListOptions) => {
        if (name === undefined) return showServers(context, options, await serversOf(client));
        const { id } = await serverOf(client, name);
        const { kind, org, search, filter, page } = options;
        const query = {
          kind,
          organization: org,
          search,
          filter,
          task_id: options.task?.toString(),
          project_id: options.project?.toString(),
          page: page?.toString(),
        };
        const items = await client.call('browseRemoteServer', { params: { id }, query });
        show(context, options, items, () =>
          tableOf(items.results, {
            ID: (item) => item.id,
            NAME: (item) => item.slug ?? item.name,
            FRAMES: (item) => item.frame_count,
            STATE: (item) => [item.stage, item.state].filter((text) => text !== null).join(', '),
            ASSIGNEE: (item) => item.assignee,
            HERE: (item) => item.refusal ?? (item.remote_job_id === null ? null : 'checked out'),
          }),
        );
        const rest = items.count - items.results.length;
        if (rest > 0 && !options.json) note(context, `${rest} more are on other pages (--page).`);
      }),
    );
}

function addTransfers(add: Add, context: CliContext): void {
  addTargetOptions(
    add('checkout', 'Checks out a job, or all jobs of a task or project. Repeat it to continue after a failure.')
      .argument('<server>', 'name of the connection')
      .requiredOption('--budget <size>', 'most disk space for frames of all servers, for example 40GB', parseSize),
  ).action(
    asking(context, async (client, name: string, options: CheckoutOptions) => {
      const server = await serverOf(client, name);
      const { kind, id } = chosenTarget(options);
      const body = { kind, id, budget_bytes: options.budget };
      const { rq_id: request } = await client.call('checkOutRemote', { params: { id: server.id }, body });
      await finish(client, context, options, { request, title: 'Checking out', server });
    }),
  );
  addTargetOptions(
    add('publish', 'Creates a local task or project on the server, and follows it.')
      .argument('<server>', 'name of the connection')
      .option('--org <slug>', 'organization on the server'),
  ).action(
    asking(context, async (client, name: string, options: PublishOptions) => {
      const server = await serverOf(client, name);
      const { kind, id } = chosenTarget(options);
      if (kind === 'job') throw usage('Give --task ID or --project ID: a job is published with its task.');
      const body = { kind, id, org: options.org };
      const { rq_id: request } = await client.call('publishToRemote', { params: { id: server.id }, body });
      await finish(client, context, options, { request, title: 'Publishing', server });
    }),
  );
}

async function finish(
  client: ApiClient,
  context: CliContext,
  options: JsonOptions,
  { request, title, server }: { readonly request: string; readonly title: string; readonly server: RemoteServer },
): Promise<void> {
  const progress = createProgressBar(title, context.errorOutput);
  const { message } = await waitForRequest(client, request, progress, context.stopSignal);
  const jobs = await jobsOf(client, server);
  show(context, options, jobs, () => message);
}

function addExchange(add: Add, context: CliContext): void {
  const exchange = (name: string, description: string): Command =>
    add(name, description)
      .argument('<server>', 'name of the connection')
      .argument('[jobs...]', 'ids of jobs on the server');
  exchange('status', 'Compares jobs with the server: out, changed here, changed there, or both.').action(
    asking(context, async (client, name: string, ids: readonly string[], options: ExchangeOptions) => {
      const results: ComparedJob[] = [];
      for (const job of await chosenJobs(client, name, ids, true)) {
        if (job.state === 'checking_out') {
          results.push({ job, state: job.state, here: null, there: null, conflicts: [] });
          continue;
        }
        results.push(await client.call('compareRemoteJob', { params: { id: job.id } }));
      }
      show(context, options, results, () =>
        tableOf(results, {
          JOB: ({ job }) => job.remote_job_id,
          NAME: ({ job }) => job.name,
          STATE: ({ state }) => stateNames[state],
          HERE: ({ here }) => changesOf(here),
          THERE: ({ there }) => changesOf(there),
          CONFLICTS: ({ conflicts }) => conflicts.length,
        }),
      );
    }),
  );
  exchange('pull', 'Applies changes of the server to local jobs. Exits with code 3 if there are conflicts.')
    .option('--all', 'all jobs of the server that are checked out')
    .option('--dry-run', 'only count the changes')
    .addOption(new Option('--conflicts <side>', 'resolves all conflicts').choices(['mine', 'theirs', 'both']))
    .action(asking(context, (client, ...given: ExchangeArguments) => exchangeAll(client, context, 'pull', ...given)));
  exchange('push', 'Sends local changes to the server. Exits with code 3 if there are conflicts.')
    .option('--all', 'all jobs of the server that are checked out')
    .option('--dry-run', 'only count the changes')
    .action(asking(context, (client, ...given: ExchangeArguments) => exchangeAll(client, context, 'push', ...given)));
}

type ExchangeArguments = readonly [name: string, ids: readonly string[], options: ExchangeOptions];

async function exchangeAll(
  client: ApiClient,
  context: CliContext,
  action: RemoteResult['action'],
  ...[name, ids, options]: ExchangeArguments
): Promise<void> {
  const results: RemoteResult[] = [];
  for (const job of await chosenJobs(client, name, ids, options.all)) {
    const { message, result } = await exchangeJob(client, context, action, job, options);
    results.push(result);
    if (options.json) continue;
    context.print(`Job ${job.remote_job_id}: ${message}`);
    printConflicts(context, result.conflicts);
  }
  if (options.json) context.print(JSON.stringify(results, null, 2));
  requireResolved(results);
}

/**
 * Each result lists only some of the conflicts, and lists one again if its versions changed. So decisions are sent until
 * none is left.
 */
async function exchangeJob(
  client: ApiClient,
  { errorOutput, stopSignal }: CliContext,
  action: RemoteResult['action'],
  { id, remote_job_id: remoteId }: RemoteJob,
  { dryRun, conflicts: choice }: ExchangeOptions,
): Promise<{ readonly message: string; readonly result: RemoteResult }> {
  const params = { id };
  const decisions = new Map<string, { uid: string; version: string; decision: Decision }>();
  for (;;) {
    const body = { dry_run: dryRun, decisions: [...decisions.values()] };
    const { rq_id: request } =
      action === 'pull'
        ? await client.call('pullRemoteJob', { params, body })
        : await client.call('pushRemoteJob', { params, body: { dry_run: dryRun } });
    const progress = createProgressBar(`${action === 'pull' ? 'Pulling' : 'Pushing'} ${remoteId}`, errorOutput);
    const { message } = await waitForRequest(client, request, progress, stopSignal);
    const result = await client.call('getRemoteResult', { params: { id: request } });
    const open = result.conflicts.filter(({ uid, version }) => decisions.get(uid)?.version !== version);
    if (action === 'push' || choice === undefined || open.length === 0) return { message, result };
    for (const { uid, version } of open) decisions.set(uid, { uid, version, decision: choice });
  }
}

const serversOf = async (client: ApiClient): Promise<RemoteServer[]> =>
  (await client.call('listRemoteServers', {})).results;

async function serverOf(client: ApiClient, name: string): Promise<RemoteServer> {
  const all = await serversOf(client);
  const found = all.find((server) => server.name === name);
  if (found) return found;
  const names = all.map((server) => server.name).join(', ') || 'none';
  throw refused(`There is no server "${name}". Connected: ${names}. Connect one with "limner remote add".`);
}

const jobsOf = async (client: ApiClient, { id }: RemoteServer): Promise<RemoteJob[]> =>
  (await client.call('listRemoteJobs', { query: { server_id: String(id) } })).results;

async function chosenJobs(
  client: ApiClient,
  name: string,
  ids: readonly string[],
  isAll = false,
): Promise<RemoteJob[]> {
  const jobs = await jobsOf(client, await serverOf(client, name));
  if (ids.length === 0) {
    if (isAll) return jobs;
    throw usage('Give the ids of jobs, or --all.');
  }
  return ids.map((id) => {
    const job = jobs.find((one) => String(one.remote_job_id) === id);
    if (job) return job;
    throw refused(`Job ${id} of "${name}" is not checked out. Check it out with "limner remote checkout".`);
  });
}

function showServers(context: CliContext, options: JsonOptions, servers: readonly RemoteServer[]): void {
  show(context, options, servers, () =>
    tableOf(servers, {
      NAME: ({ name }) => name,
      ADDRESS: ({ address }) => address,
      VERSION: ({ version }) => version,
      USER: ({ username }) => username,
      JOBS: (server) => server.job_count,
    }),
  );
}

const stateNames = {
  checking_out: 'not complete',
  out: 'out',
  changed_here: 'changed here',
  changed_there: 'changed there',
  both: 'changed on both',
};

interface ComparedJob {
  readonly job: RemoteJob;
  readonly state: keyof typeof stateNames;
  readonly here: RemoteDifference | null;
  readonly there: RemoteDifference | null;
  readonly conflicts: readonly RemoteConflict[];
}

const sideOf = (side: object | null): string => (side === null ? 'deleted' : 'changed');

function printConflicts(context: CliContext, conflicts: readonly RemoteConflict[]): void {
  if (conflicts.length === 0) return;
  for (const line of tableOf(conflicts, {
    FRAME: ({ frame }) => frame,
    KIND: ({ kind }) => kind,
    LABEL: ({ label }) => label,
    HERE: ({ mine }) => sideOf(mine),
    THERE: ({ theirs }) => sideOf(theirs),
  }))
    context.print(line);
}

function requireResolved(results: readonly { readonly conflicts: readonly unknown[] }[]): void {
  const count = results.reduce((sum, { conflicts }) => sum + conflicts.length, 0);
  if (count === 0) return;
  throw refused(
    `${counted(count, 'conflict')}. The jobs with conflicts were not changed. Resolve them with "limner remote pull --conflicts mine|theirs|both".`,
  );
}

const units: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };

function parseSize(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([MGT]B)$/i.exec(text) ?? [];
  const size = Math.floor(Number(amount) * (units[unit.toUpperCase()] ?? 0));
  if (!(size > 0)) throw new InvalidArgumentError('It must be a size such as 500MB or 40GB.');
  return size;
}
