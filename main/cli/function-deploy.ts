import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { BodyInputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import type { DeployCheck, ModelFunction } from '../../preload/contract/schema/functions.ts';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions, withClient } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { explained, failed, interrupted, refused, usage } from './exit-codes.ts';
import { printLines } from './function-manage.ts';
import { collectPair, collectVolume, parseSeconds, parseTriggers, type Volume } from './function-options.ts';
import { collect, parseCount } from './options.ts';
import { counted, show, type JsonOptions } from './commands.ts';

type DeployBody = BodyInputOf<Operations['deployModel']>;

interface DeployOptions extends JsonOptions {
  readonly path?: string;
  readonly file?: string;
  readonly sample?: string;
  readonly projectName?: string;
  readonly engine?: string;
  readonly archive?: string;
  readonly image?: string;
  readonly baseImage?: string;
  readonly way?: 'image' | 'handler' | 'build';
  readonly volume?: Volume[];
  readonly env?: [string, string][];
  readonly resourceLimit?: [string, string][];
  readonly workers?: number;
  readonly triggers?: number;
  readonly gpuMemory?: number;
  readonly idleStop?: number;
  readonly allow?: string[];
  readonly check?: boolean;
}

const pollMs = 150;

export function addDeployCommand(group: Command, context: CliContext): void {
  const command = group
    .command('deploy')
    .summary('deploy a function, replacing one with the same name')
    .description(
      'Deploys a function from the folder with its function.yaml, from an image, an image archive or a sample, and waits ' +
        'until it is ready. Prints the progress to standard error.\n' +
        'The options are those of `nuctl deploy`, except that --image runs an existing image.',
    )
    .argument('[name]', 'name, if different from that in function.yaml')
    .option('-p, --path <dir>', 'folder of the function, or its function.yaml')
    .option('-f, --file <file>', 'configuration in that folder, for example function-gpu.yaml')
    .addOption(new Option('--sample <name>', 'sample function included in Limner').conflicts(['path', 'file']))
    .option('--project-name <name>', 'project of the function (CVAT lists functions of "cvat")')
    .addOption(new Option('--platform <name>', 'platform that runs the function').choices(['local']).default('local'))
    .option('--engine <name>', 'Docker Engine that runs the function (limner engine list)')
    .option('--archive <file>', 'import images from an archive (docker save) and run the function from them')
    .addOption(new Option('--image <name>', 'run this image, which must exist in Docker Engine'))
    .option('--base-image <name>', 'run the handler on this image')
    .addOption(
      new Option(
        '--way <way>',
        'run the image unchanged, run the handler on the base image, or build with the directives of function.yaml ' +
          '(default: depends on the other options)',
      ).choices(['image', 'handler', 'build']),
    )
    .addOption(new Option('-v, --volume <source:target[:ro]>', 'folder of this computer').argParser(collectVolume))
    .addOption(new Option('-e, --env <name=value>', 'environment variable').argParser(collectPair))
    .addOption(
      new Option('--resource-limit <name=value>', 'for example nvidia.com/gpu=1, cpu=2, memory=4Gi').argParser(
        collectPair,
      ),
    )
    .option('--workers <number>', 'number of worker processes, each with its own model', parseCount)
    .addOption(
      new Option('--triggers <json>', 'as in nuctl: {"myHttpTrigger": {"maxWorkers": 1}}').argParser(parseTriggers),
    )
    .option('--gpu-memory <MiB>', 'GPU memory of one worker', parseCount)
    .option('--idle-stop <seconds>', 'stop the function after this time without a call; 0: never', parseSeconds)
    .addOption(new Option('--allow <id>', 'grant a permission by the id in the error message').argParser(collect))
    .option('--check', 'print the deployment steps and missing parts without deploying')
    .option('--json', 'print the function as JSON');
  addConnectionOptions(command).action(async (name: string | undefined, options: DeployOptions) => {
    const body = deployBody(name, options);
    await withClient(context, options, async (client, isPassing) => {
      const found = await explained(client.call('checkModel', { body }));
      if (options.check) {
        showCheck(found, body, options, context);
        return;
      }
      for (const warning of found.warnings) note(context, `Note: ${warning}`);
      requireAllowed(found, body);
      const model = await deployFunction(client, body, context);
      show(context, options, model, () => deployedLine(model));
      if (isPassing)
        note(context, 'The function is available while Limner runs. Start it, for example with "limner serve".');
    });
  });
}

function deployBody(name: string | undefined, options: DeployOptions): DeployBody {
  const { path, file, sample, archive, image, baseImage, way, volume = [], projectName } = options;
  if (path === undefined && sample === undefined && file === undefined) {
    throw usage('Give the folder of the function with --path DIR, or the name of a sample with --sample NAME.');
  }
  const workers = options.workers ?? options.triggers;
  // A folder given on the command line is allowed by that; one in the configuration needs `--allow`.
  const typed = volume.map(({ source, read_only }) => `volume:${source}:${read_only ? 'ro' : 'rw'}`);
  return {
    ...source(path, file),
    sample,
    name,
    engine: options.engine,
    project: projectName,
    archive: archive === undefined ? undefined : existingFile(archive),
    image,
    base_image: baseImage,
    way,
    volumes: volume,
    env: (options.env ?? []).map(([key, value]) => ({ name: key, value })),
    resource_limits: Object.fromEntries(options.resourceLimit ?? []),
    workers,
    gpu_memory_mib: options.gpuMemory,
    idle_stop_seconds: options.idleStop,
    grants: [...typed, ...(options.allow ?? [])],
  };
}

/** Sends a configuration inside the folder by its name, and one from elsewhere as text. */
function source(path: string | undefined, file: string | undefined): Partial<DeployBody> {
  const given = path === undefined ? null : resolve(path);
  const facts = given === null ? null : statSync(given, { throwIfNoEntry: false });
  if (given !== null && !facts) throw usage(`Folder not found: ${given}. Check its name or give the absolute path.`);
  const folder = given !== null && facts?.isFile() ? dirname(given) : given;
  const named = file ?? (given !== null && facts?.isFile() ? basename(given) : undefined);
  if (named === undefined) return folder === null ? {} : { directory: folder };
  const inFolder = folder !== null && !isAbsolute(named) ? join(folder, named) : null;
  const place = existing(inFolder) ?? existing(resolve(named));
  if (place === null) throw usage(`File not found: ${inFolder ?? resolve(named)}.`);
  if (folder !== null && dirname(place) === folder) return { directory: folder, configuration_name: basename(place) };
  const text = { configuration: readFileSync(place, 'utf8'), configuration_name: basename(place) };
  // Same as nuctl: without a folder, the configuration's folder is used.
  return { ...text, directory: folder ?? dirname(place) };
}

const existing = (path: string | null): string | null =>
  path !== null && statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : null;

function existingFile(path: string): string {
  const found = existing(resolve(path));
  if (found === null) throw usage(`File not found: ${resolve(path)}. Check its name or give the absolute path.`);
  return found;
}

/** Reports all missing permissions at once, with the options that grant them, before anything is deployed. */
function requireAllowed(found: DeployCheck, body: DeployBody): void {
  if (found.engine_problem !== null) throw failed(found.engine_problem);
  const missing = found.permissions.filter(({ id }) => !(body.grants ?? []).includes(id));
  if (missing.length === 0) return;
  throw refused(
    [
      `Not deployed: the configuration of "${found.name}" needs permissions that are off by default. It wants to:`,
      ...missing.map(({ id, message }) => `  ${message}\n    --allow '${id}'`),
      'If you trust it, deploy it again with these options.',
    ].join('\n'),
  );
}

/** A build with network access downloads its base image, and an archive brings one. */
const lacksImage = ({ has_image: hasImage, way }: DeployCheck, { archive }: DeployBody): boolean =>
  hasImage === false && way !== 'build' && archive === undefined;

/** @throws CommandError if it cannot be deployed */
function showCheck(found: DeployCheck, body: DeployBody, options: DeployOptions, context: CliContext): void {
  printCheck(found, body, options, context);
  if (!lacksImage(found, body)) return;
  throw failed(
    `Cannot deploy "${found.name}": Docker Engine has no image ${found.image}. Import it (limner function import-image) ` +
      'or choose another one.',
  );
}

function printCheck(found: DeployCheck, body: DeployBody, options: DeployOptions, context: CliContext): void {
  if (options.json) {
    context.print(JSON.stringify(found, null, 2));
    return;
  }
  const ways = { image: 'from the image', handler: 'as a handler on', build: 'by a build on' } as const;
  context.print(`${found.name}: ${found.kind ?? 'no model'}, ${counted(found.labels.length, 'label')}`);
  const verb = lacksImage(found, body) ? 'Would run' : 'Would deploy';
  context.print(`${verb} ${ways[found.way]} ${found.image}${found.exists ? ', replacing the existing one' : ''}`);
  if (found.has_image === false && !lacksImage(found, body))
    context.print(`Docker Engine has no image ${found.image}.`);
  for (const problem of [found.engine_problem, found.model_problem]) if (problem !== null) context.print(problem);
  for (const warning of found.warnings) context.print(`Note: ${warning}`);
  for (const { directive, reason } of found.directives) context.print(`${directive}: ${reason}`);
  for (const { id, message } of found.permissions) context.print(`${message}\n  --allow '${id}'`);
}

export async function deployFunction(client: ApiClient, body: DeployBody, context: CliContext): Promise<ModelFunction> {
  const { name } = await explained(client.call('deployModel', { body }));
  return followedDeployment(client, name, context);
}

/**
 * Prints the log of a running deployment until it ends.
 * @throws CommandError if the deployment failed
 */
export async function followedDeployment(client: ApiClient, name: string, context: CliContext): Promise<ModelFunction> {
  const following = new AbortController();
  const log = followDeployment(client, name, following.signal, context);
  try {
    for (;;) {
      const model = await client.call('getModel', { params: { name } });
      if (model.state !== 'building') {
        await Promise.race([log, sleep(pollMs)]);
        // If the new container failed, the old one stays "ready"; only the message tells.
        if (model.state === 'ready' && model.message === '') return model;
        throw failed(model.message || `"${name}" is ${model.state}.`);
      }
      if (context.stopSignal.aborted) await cancel(client, name);
      await sleep(pollMs, undefined, { signal: context.stopSignal }).catch(() => undefined);
    }
  } finally {
    following.abort();
    await log;
  }
}

async function cancel(client: ApiClient, name: string): Promise<never> {
  const isCancelled = await client.call('cancelDeployment', { params: { name } }).then(
    () => true,
    () => false,
  );
  throw interrupted(
    isCancelled
      ? 'Interrupted: the deployment was cancelled.'
      : `Interrupted. The deployment could not be cancelled any more. Run limner function get ${name} to see its result.`,
  );
}

/** Prints the lines of the deployment, not those of the function. */
async function followDeployment(
  client: ApiClient,
  name: string,
  signal: AbortSignal,
  context: CliContext,
): Promise<void> {
  let isOver = false;
  const target = `/api/models/functions/${encodeURIComponent(name)}/logs?follow=true`;
  try {
    const response = await client.send(target, { signal });
    await printLines(response, (line) => {
      const [, text] = /^\d\d:\d\d:\d\d (.*)$/.exec(line) ?? [];
      if (isOver || text === undefined) return;
      isOver = text === 'Deployed.' || text.startsWith('Error: ');
      if (!isOver) note(context, text);
    });
  } catch {
    // The deployment continues without its log; its result is read from the function's state.
  }
}

function deployedLine({ name, node_port: port, workers, gpu, replicas }: ModelFunction): string {
  const cards = gpu.devices.length > 0 ? `, on ${gpu.devices.join(', ')}` : '';
  const place = port === null ? `replicas ${replicas}` : `answers at http://127.0.0.1:${port}`;
  return `Function ${name} ${place} (${counted(workers, 'worker')}${cards})`;
}
