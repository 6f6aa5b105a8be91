import type { Command } from 'commander';
import type { EngineStatus, ModelFunction } from '../../preload/contract/schema/functions.ts';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { explained } from './exit-codes.ts';
import { parseVersion } from './function-options.ts';
import { tableOf, type Columns } from './collections.ts';
import { asking, counted, show, type JsonOptions } from './commands.ts';
import type { ModelVersions, VersionChanges } from '../../preload/contract/schema/function-versions.ts';

interface ListOptions extends JsonOptions {
  readonly wide?: boolean;
}

export function addListCommand(group: Command, context: CliContext): void {
  const command = group
    .command('list')
    .summary('list the deployed functions')
    .description('Lists the deployed functions with their state and port.')
    .option('--wide', 'also show type, labels, limits and messages')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action(
    asking(context, async (client, options: ListOptions) => {
      const engine = await refreshContainers(client);
      const functions = await explained(client.call('listModels', {}));
      if (functions.some(({ provider }) => provider === 'docker')) noteEngine(engine, context);
      show(context, options, functions, () =>
        functions.length === 0 ? 'No functions found' : functionTable(functions, options.wide ?? false),
      );
    }),
  );
}

export function addGetCommand(group: Command, context: CliContext): void {
  const command = group
    .command('get')
    .summary('show one function')
    .description('Shows the state, address, image and limits of a function.')
    .argument('<name>', 'name of the function')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action(
    asking(context, async (client, name: string, options: ListOptions) => {
      const engine = await refreshContainers(client);
      const model = await explained(client.call('getModel', { params: { name } }));
      if (model.provider === 'docker') noteEngine(engine, context);
      show(context, options, model, () => functionDetails(model));
    }),
  );
}

/** Updates the container states: reading the Docker Engine's status checks them. */
const refreshContainers = (client: ApiClient): Promise<EngineStatus | null> =>
  client.call('getEngineStatus', {}).catch(() => null);

function noteEngine(engine: EngineStatus | null, context: CliContext): void {
  if (engine !== null && engine.state !== 'connected') note(context, `This is the last known state. ${engine.message}`);
}

/** Same columns as `nuctl get function`. */
function functionTable(functions: readonly ModelFunction[], isWide: boolean): string[] {
  return tableOf(functions, {
    NAMESPACE: ({ namespace }) => namespace,
    NAME: ({ name }) => name,
    PROJECT: ({ project }) => project,
    STATE: ({ state }) => state,
    'NODE PORT': (one) => one.node_port,
    REPLICAS: ({ replicas }) => replicas,
    ...(isWide ? wideColumns : {}),
  });
}

const wideColumns: Columns<ModelFunction> = {
  ENGINE: ({ engine }) => engine,
  TYPE: ({ kind }) => kind,
  WORKERS: ({ workers }) => workers,
  CPU: (model) => model.cpu_cores,
  MEMORY: (model) => (model.memory_bytes === null ? null : inMiB(model.memory_bytes)),
  GPU: ({ gpu }) => (gpu.count === 0 ? null : gpu.devices.join(',') || gpu.count),
  LABELS: ({ labels }) => labels.length,
  MESSAGE: (model) => (model.message || (model.model_problem ?? '')).split('\n')[0],
};

const inMiB = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

function functionDetails(model: ModelFunction): string[] {
  const { gpu } = model;
  const cards = gpu.devices.length > 0 ? ` (${gpu.devices.join(', ')})` : '';
  const memory = gpu.declared_mib ?? gpu.measured_mib;
  const rows: (readonly [string, string | null])[] = [
    ['Name', model.title === model.name ? model.name : `${model.name} ("${model.title}")`],
    ['Project', `${model.project}, namespace ${model.namespace}`],
    ['State', `${model.state}, replicas ${model.replicas}`],
    ['Message', model.message || null],
    ['Address', model.node_port === null ? model.address : `http://127.0.0.1:${model.node_port}`],
    ['Engine', model.engine],
    ['Type', model.kind ?? model.model_problem],
    ['Labels', model.labels.map(({ name }) => name).join(', ') || null],
    ['Description', model.description || null],
    ['Image', model.image],
    ['Folder', model.directory],
    ['Handler', `${model.handler}, ${model.runtime || 'unknown runtime'}, ${counted(model.workers, 'worker')}`],
    ['Processors', model.cpu_cores === null ? null : String(model.cpu_cores)],
    ['Memory', model.memory_bytes === null ? null : inMiB(model.memory_bytes)],
    ['Graphics', gpu.count === 0 ? null : `${counted(gpu.count, 'card')}${cards}`],
    ['Graphics memory', gpu.count === 0 || memory === null ? null : `${memory} MiB per worker`],
    ['Rests after', model.idle_stop_seconds === null ? null : `${model.idle_stop_seconds} s without a call`],
    ['Allowed', model.grants.join(', ') || null],
    ...model.warnings.map((warning): readonly [string, string] => ['Note', warning]),
  ];
  return rows.flatMap(([title, value]) => (value === null ? [] : [`${`${title}:`.padEnd(17)}${value}`]));
}

export function addVersionsCommand(group: Command, context: CliContext): void {
  const command = group
    .command('versions')
    .summary('list the versions of a function')
    .description('Lists the stored versions of a function, newest first.')
    .argument('<name>', 'name of the function')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action(
    asking(context, async (client, name: string, options: JsonOptions) => {
      const found = await explained(client.call('listModelVersions', { params: { name } }));
      show(context, options, found, () => versionTable(found));
    }),
  );
}

const versionTable = ({ versions }: ModelVersions): string[] =>
  versions.length === 0
    ? ['No versions yet: the next deployment will be the first.']
    : tableOf(versions, {
        VERSION: ({ version }) => version,
        DEPLOYED: (one) => one.created_date,
        ANSWERS: (one) => (one.is_current ? 'yes' : 'no'),
        FROM: (one) => one.directory ?? one.image ?? '',
      });

export function addChangesCommand(group: Command, context: CliContext): void {
  const command = group
    .command('changes')
    .summary("show the changes of a function's version")
    .description(
      'Shows the changes between a version and the previous one, or another: function.yaml and the files of the handler.\n' +
        'For changed variables it prints only the names.',
    )
    .argument('<name>', 'name of the function')
    .argument('<version>', 'the version', parseVersion)
    .option('--since <version>', 'version to compare with', parseVersion)
    .option('--json', 'print JSON');
  addConnectionOptions(command).action(
    asking(
      context,
      async (client, name: string, version: number, options: JsonOptions & { readonly since?: number }) => {
        const { since } = options;
        const query = since === undefined ? {} : { since };
        const found = await explained(client.call('getVersionChanges', { params: { name, version }, query }));
        show(context, options, found, () => changeLines(found));
      },
    ),
  );
}

const marks = { same: ' ', added: '+', removed: '-', skipped: '@' } as const;

function changeLines({ since, version, files, variables, knows_files: knowsFiles }: VersionChanges): string[] {
  const lines = files.flatMap(({ path, change, lines: changed }) => [
    `${change} ${path}${changed === null ? ' (binary, or too long to compare)' : ''}`,
    ...(changed ?? []).map(({ kind, text }) =>
      kind === 'skipped' ? `${marks[kind]} ${text} unchanged lines` : `${marks[kind]}${text}`,
    ),
  ]);
  if (variables.length > 0) lines.push(`Changed variables: ${variables.join(', ')}`);
  if (!knowsFiles)
    lines.push("The handler's files cannot be compared: one version was deployed before versions were stored.");
  return lines.length === 0 ? [`Versions ${since} and ${version} are identical.`] : lines;
}
