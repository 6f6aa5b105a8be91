import type { Command } from 'commander';
import type { EngineStatus, ModelFunction } from '../../preload/contract/schema/functions.ts';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions, withClient } from './connection.ts';
import type { ConnectionOptions } from './connection.ts';
import { note } from './context.ts';
import type { CliContext } from './context.ts';
import { explained } from './function-problem.ts';
import { tableLines } from './table.ts';

interface ListOptions extends ConnectionOptions {
  readonly wide?: boolean;
  readonly json?: boolean;
}

export function addListCommand(group: Command, context: CliContext): void {
  const command = group
    .command('list')
    .summary('list the deployed functions')
    .description('Lists the deployed functions with their state and the port at which they answer.')
    .option('--wide', 'show type, labels, limits and messages, too')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action((options: ListOptions) =>
    withClient(context, options, async (client) => {
      const engine = await lookAtContainers(client);
      const functions = await explained(client.call('listModels', {}));
      if (functions.some(({ provider }) => provider === 'docker')) noteEngine(engine, context);
      if (options.json) context.print(JSON.stringify(functions, null, 2));
      else if (functions.length === 0) context.print('No functions found');
      else for (const line of functionTable(functions, options.wide ?? false)) context.print(line);
    }),
  );
}

export function addGetCommand(group: Command, context: CliContext): void {
  const command = group
    .command('get')
    .summary('show one function')
    .description('Shows one function: its state, where it answers, what it runs and what it may use.')
    .argument('<name>', 'name of the function')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action((name: string, options: ListOptions) =>
    withClient(context, options, async (client) => {
      const engine = await lookAtContainers(client);
      const model = await explained(client.call('getModel', { params: { name } }));
      if (model.provider === 'docker') noteEngine(engine, context);
      if (options.json) context.print(JSON.stringify(model, null, 2));
      else for (const line of functionDetails(model)) context.print(line);
    }),
  );
}

/** Containers may have ended since somebody looked last; asking for the Engine looks at them, too. */
const lookAtContainers = (client: ApiClient): Promise<EngineStatus | null> =>
  client.call('getEngineStatus', {}).catch(() => null);

function noteEngine(engine: EngineStatus | null, context: CliContext): void {
  if (engine !== null && engine.state !== 'connected')
    note(context, `The last known state is shown. ${engine.message}`);
}

/** The columns of Nuclio's own list. */
function functionTable(functions: readonly ModelFunction[], isWide: boolean): string[] {
  const head = ['NAMESPACE', 'NAME', 'PROJECT', 'STATE', 'NODE PORT', 'REPLICAS'];
  const wideHead = ['TYPE', 'WORKERS', 'CPU', 'MEMORY', 'GPU', 'LABELS', 'MESSAGE'];
  const rows = functions.map((one) => [
    one.namespace,
    one.name,
    one.project,
    one.state,
    one.node_port === null ? '-' : String(one.node_port),
    one.replicas,
    ...(isWide ? wideCells(one) : []),
  ]);
  return tableLines([isWide ? [...head, ...wideHead] : head, ...rows]);
}

function wideCells(model: ModelFunction): string[] {
  return [
    model.kind ?? '-',
    String(model.workers),
    model.cpu_cores === null ? '-' : String(model.cpu_cores),
    model.memory_bytes === null ? '-' : inMiB(model.memory_bytes),
    model.gpu.count === 0 ? '-' : model.gpu.cards.join(',') || String(model.gpu.count),
    String(model.labels.length),
    (model.message || (model.model_problem ?? '')).split('\n')[0] ?? '',
  ];
}

const inMiB = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

function functionDetails(model: ModelFunction): string[] {
  const { gpu } = model;
  const cards = gpu.cards.length > 0 ? ` (${gpu.cards.join(', ')})` : '';
  const memory = gpu.declared_mib ?? gpu.measured_mib;
  const rows: (readonly [string, string | null])[] = [
    ['Name', model.title === model.name ? model.name : `${model.name} ("${model.title}")`],
    ['Project', `${model.project}, in the namespace ${model.namespace}`],
    ['State', `${model.state}, replicas ${model.replicas}`],
    ['Message', model.message || null],
    ['Address', model.node_port === null ? model.address : `http://127.0.0.1:${model.node_port}`],
    ['Type', model.kind ?? model.model_problem],
    ['Labels', model.labels.map(({ name }) => name).join(', ') || null],
    ['Description', model.description || null],
    ['Image', model.image],
    ['Folder', model.directory],
    ['Handler', `${model.handler}, ${model.runtime || 'runtime not said'}, ${count(model.workers, 'worker')}`],
    ['Processors', model.cpu_cores === null ? null : String(model.cpu_cores)],
    ['Memory', model.memory_bytes === null ? null : inMiB(model.memory_bytes)],
    ['Graphics', gpu.count === 0 ? null : `${count(gpu.count, 'card')}${cards}`],
    ['Graphics memory', gpu.count === 0 || memory === null ? null : `${memory} MiB for each worker`],
    ['Rests after', model.idle_stop_seconds === null ? null : `${model.idle_stop_seconds} s without a call`],
    ['Allowed', model.grants.join(', ') || null],
    ...model.warnings.map((warning): readonly [string, string] => ['Note', warning]),
  ];
  return rows.flatMap(([title, value]) => (value === null ? [] : [`${`${title}:`.padEnd(17)}${value}`]));
}

export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
