import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { EnvironmentLook } from '../../preload/contract/schema/functions.ts';
import type { WeightsDescription, WeightsLook } from '../../preload/contract/schema/weights.ts';
import { addConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import type { ApiClient } from './api-client.ts';
import { explained, failed, usage } from './exit-codes.ts';
import { collectPair, parseSeconds } from './function-options.ts';
import { parseCount } from './options.ts';
import { deployFunction, followedDeployment } from './function-deploy.ts';
import { defined } from '../platform/defined.ts';
import { asking, show, type JsonOptions } from './commands.ts';

const examples = `
Ways for a model to get in, and what each needs:
  limner model add detector.onnx               an ONNX file of a known kind; no Engine, no handler
  limner model add encoder.onnx --decoder decoder.onnx
                                               Segment Anything, both halves; no Engine
  limner model add detector.onnx --container --base ENV
                                               the same in a container, with limits and graphics cards; Docker Engine,
                                               and an environment of Python (or an image) with numpy and onnxruntime
  limner model add --python ENV handler/       a handler on an interpreter, a virtual or conda environment or a folder
                                               of wheels; Docker Engine
  limner function deploy --path DIR            a function.yaml of CVAT or Nuclio; Docker Engine, and its image
  limner model decoder FUNCTION decoder.onnx   the decoder of a function that answers features (CVAT's Segment Anything)
  cvat-cli function create-native NAME --function-file FILE.py
                                               a native function of cvat-sdk, run by cvat-cli function run-agent; Python
                                               with cvat-cli, no Engine`;

interface AddOptions extends JsonOptions {
  readonly python?: string;
  readonly decoder?: string;
  readonly name?: string;
  readonly title?: string;
  readonly labels?: string;
  readonly threshold?: number;
  readonly container?: boolean;
  readonly base?: string;
  readonly resourceLimit?: readonly (readonly [string, string])[];
  readonly gpuMemory?: number;
  readonly idleStop?: number;
  readonly check?: boolean;
}

export function addModelCommand(program: Command, context: CliContext): void {
  const group = program
    .command('model')
    .summary('add models: files of weights, handlers on an environment')
    .description('Makes functions of models: of an ONNX file alone, or of a handler and an environment of Python.')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  addAddCommand(group, context);
  addDecoderCommand(group, context);
}

function addAddCommand(group: Command, context: CliContext): void {
  const command = group
    .command('add')
    .summary('make a function of a model')
    .description(
      'Makes a function of an ONNX file, which runs in Limner on the processor; or of the folder of a handler (with its\n' +
        'function.yaml), on a base image that is made of an environment of Python, without the network. With --container the\n' +
        'file runs in a container, where it may have a graphics card.',
    )
    .argument('<file-or-folder>', 'an ONNX file, or with --python the folder of a handler')
    .addOption(new Option('--python <environment>', 'interpreter, virtual or conda environment, or folder of wheels'))
    .option('--decoder <file>', 'the decoder of an encoder of Segment Anything')
    .option('--name <name>', 'name of the function (default: that of the file)')
    .option('--title <text>', 'how people see it')
    .option('--labels <list>', 'labels of the model in their order, with commas; or @FILE with one a line')
    .option('--threshold <number>', 'the least score', Number)
    .option('--container', 'run the ONNX file in a container instead of in Limner')
    .option('--base <image-or-environment>', 'for the container: an image, or an environment of Python to make it of')
    .addOption(
      new Option('--resource-limit <name=value>', 'of the container: nvidia.com/gpu=1, cpu=2, memory=4Gi').argParser(
        collectPair,
      ),
    )
    .option('--gpu-memory <MiB>', 'graphics memory that the model takes', parseCount)
    .option('--idle-stop <seconds>', 'stop the container after this time without a call; 0 never', parseSeconds)
    .option('--check', 'say what it is and what is missing; add nothing')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action(
    asking(context, async (client, path: string, options: AddOptions) => {
      if (options.python === undefined) await addFile(client, existingFile(path), options, context);
      else await addHandler(client, path, options.python, options, context);
    }),
  );
}

function existingFile(path: string): string {
  const whole = resolve(path);
  if (statSync(whole, { throwIfNoEntry: false })?.isFile() === true) return whole;
  throw usage(`There is no file ${whole}. A handler's folder needs --python ENV. Nothing was added.`);
}

async function addFile(client: ApiClient, path: string, options: AddOptions, context: CliContext): Promise<void> {
  const found = await explained(client.call('lookAtWeights', { body: { path } }));
  const decoder =
    options.decoder === undefined
      ? null
      : await explained(client.call('lookAtWeights', { body: { path: existingFile(options.decoder) } }));
  if (options.check) return show(context, options, found, () => lookLines(found));
  if (found.description === null) {
    const reason =
      found.needs === 'encoder' ? 'It is a decoder: add its encoder with --decoder.' : (found.problem ?? '');
    throw failed(`${found.file_name} was not added. ${reason}`);
  }
  if (found.needs === 'decoder' && decoder === null) {
    throw failed(`${found.file_name} is an encoder: give its decoder, too, by --decoder FILE.`);
  }
  const container = await containerFor(client, options, context);
  for (const line of [...found.reasons, ...found.questions.map((one) => `Note: ${one}`)]) note(context, line);
  const model = await explained(
    client.call('addWeights', {
      body: {
        id: found.id,
        decoder: decoder?.id ?? null,
        name: options.name ?? found.name,
        ...(options.title === undefined ? {} : { title: options.title }),
        description: described(found.description, options),
        container,
      },
    }),
  );
  if (container !== null) {
    const done = await followedDeployment(client, model.name, context);
    const place = `in a container on ${container.base_image}`;
    return show(context, options, done, () => `Function ${done.name} is a ${done.kind ?? 'model'}, ${place}`);
  }
  const kind = `${model.kind ?? 'model'} with ${model.labels.length} labels`;
  show(context, options, model, () => `Function ${model.name} is a ${kind}, in Limner`);
}

/** Returns null if the model runs in Limner itself. */
async function containerFor(client: ApiClient, options: AddOptions, context: CliContext) {
  const { container, base, resourceLimit = [], gpuMemory, idleStop } = options;
  const more = { base, 'resource-limit': options.resourceLimit, 'gpu-memory': gpuMemory, 'idle-stop': idleStop };
  if (container !== true) {
    const lone = Object.entries(more).find(([, value]) => value !== undefined);
    if (lone !== undefined) throw usage(`--${lone[0]} is of a model in a container: give --container, too.`);
    return null;
  }
  if (base === undefined) {
    throw usage(
      '--container needs --base: an environment of Python with numpy and onnxruntime, or an image that has them.',
    );
  }
  const isPath = statSync(resolve(base), { throwIfNoEntry: false }) !== undefined;
  return {
    base_image: isPath ? await imageOf(client, resolve(base), context) : base,
    resource_limits: Object.fromEntries(resourceLimit),
    ...defined({ gpu_memory_mib: gpuMemory, idle_stop_seconds: idleStop }),
  };
}

async function imageOf(client: ApiClient, environment: string, context: CliContext): Promise<string> {
  note(context, 'Making the base image …');
  const { image } = await explained(client.call('makeBaseImage', { body: { language: 'python', environment } }));
  note(context, `Made ${image}`);
  return image;
}

function described(description: WeightsDescription, { labels, threshold }: AddOptions): WeightsDescription {
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
    throw usage('--threshold is a number from 0 to 1.');
  return {
    ...description,
    ...(labels === undefined ? {} : { labels: labelsFrom(labels) }),
    ...(threshold === undefined ? {} : { threshold }),
  };
}

function labelsFrom(text: string): string[] {
  let list = text.split(',');
  if (text.startsWith('@')) {
    try {
      list = readFileSync(text.slice(1), 'utf8').split('\n');
    } catch (cause) {
      throw usage(`There is no readable file ${text.slice(1)}. Nothing was added.`, { cause });
    }
  }
  return list.map((one) => one.trim()).filter((one) => one !== '');
}

function lookLines(found: WeightsLook): string[] {
  const { description } = found;
  const values = (all: WeightsLook['inputs']) =>
    all.map(
      ({ name, type, dimensions }) => `${name} ${type} [${(dimensions ?? []).map((one) => one ?? '?').join(', ')}]`,
    );
  return [
    `File:    ${found.file_name}, ${formatSize(found.size_bytes)}${found.licence === '' ? '' : `, licence ${found.licence}`}`,
    ...values(found.inputs).map((one) => `Input:   ${one}`),
    ...values(found.outputs).map((one) => `Output:  ${one}`),
    `Kind:    ${description === null ? (found.problem ?? `needs its ${found.needs}`) : `${description.kind}, ${description.head}`}`,
    ...(description === null || description.labels.length === 0
      ? []
      : [`Labels:  ${description.labels.slice(0, 20).join(', ')}${description.labels.length > 20 ? ' …' : ''}`]),
    ...(found.needs === 'decoder' ? ['Needs:   its decoder (--decoder FILE)'] : []),
    ...found.reasons.map((one) => `Because: ${one}`),
    ...found.questions.map((one) => `Note:    ${one}`),
  ];
}

async function addHandler(
  client: ApiClient,
  folder: string,
  environment: string,
  options: AddOptions,
  context: CliContext,
): Promise<void> {
  const path = resolve(environment);
  const found = await explained(client.call('lookAtEnvironment', { body: { path } }));
  for (const line of environmentLines(found))
    (options.check ? context.print : (one: string) => note(context, one))(line);
  const directory = resolve(folder);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw usage(`There is no folder ${directory} with a handler. Nothing was made.`);
  }
  if (options.check) return;
  const image = await imageOf(client, path, context);
  const name = options.name === undefined ? {} : { name: options.name };
  const model = await deployFunction(client, { directory, base_image: image, way: 'handler', ...name }, context);
  show(context, options, model, () => `Function ${model.name} is deployed on ${image}`);
}

function environmentLines(found: EnvironmentLook): string[] {
  const packages = found.packages.map(({ name, version }) => `${name} ${version}`).join(', ');
  return [
    `Python ${found.version} with ${packages === '' ? 'no packages' : packages}`,
    `${found.file_count} files: interpreter ${formatSize(found.interpreter_bytes)}, packages ${formatSize(found.package_bytes)}` +
      (found.card_bytes > 0 ? `, for graphics cards ${formatSize(found.card_bytes)}` : ''),
    ...found.missing.slice(0, 10).map(({ file, library }) => `Note: ${library}, which ${file} asks for, is not here`),
  ];
}

function addDecoderCommand(group: Command, context: CliContext): void {
  const command = group
    .command('decoder')
    .summary('give a function that answers features its decoder')
    .description(
      "CVAT's Segment Anything answers features of a picture, and a decoder makes masks of them. With it a click after the\n" +
        'first does not go to the function any more.',
    )
    .argument('<function>', 'name of the function')
    .argument('<file>', 'the ONNX file of its decoder');
  addConnectionOptions(command).action(
    asking(context, async (client, name: string, file: string) => {
      const { id, file_name } = await explained(client.call('lookAtWeights', { body: { path: existingFile(file) } }));
      await explained(client.call('setDecoder', { params: { name }, body: { id } }));
      context.print(`${file_name} is the decoder of ${name}`);
    }),
  );
}

function formatSize(bytes: number): string {
  const mib = bytes / 1024 ** 2;
  return mib >= 1024 ? `${(mib / 1024).toFixed(1)} GiB` : `${mib.toFixed(1)} MiB`;
}
