import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { EnvironmentInspection } from '../../preload/contract/schema/functions.ts';
import {
  settingsOf,
  type ModelDescription,
  type ModelFileInspection,
} from '../../preload/contract/schema/model-files.ts';
import { addConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import type { ApiClient } from './api-client.ts';
import { explained, failed, usage } from './exit-codes.ts';
import { collectPair, parseSeconds } from './function-options.ts';
import { parseCount } from './options.ts';
import { deployFunction, followedDeployment } from './function-deploy.ts';
import { asking, show, type JsonOptions } from './commands.ts';
import { defined } from '../platform/defined.ts';

const examples = `
Ways to add a model, and their requirements:
  limner model add detector.onnx               an ONNX model of a known kind; no Docker Engine, no handler
  limner model add encoder.onnx --decoder decoder.onnx
                                               both parts of Segment Anything; no Docker Engine
  limner model add det.onnx --decoder rec.onnx
                                               PP-OCR: text regions and their texts; no Docker Engine
  limner model add http://127.0.0.1:8000/v2/models/NAME
                                               a model of a running inference server (Triton, KServe, OpenVINO Model
                                               Server, MLServer); no Docker Engine
  limner model add http://127.0.0.1:8080/v1 --chat MODEL
                                               a vision model behind a chat endpoint (llama.cpp, Ollama, vLLM), for tags
                                               and attributes; no Docker Engine
  limner model add detector.onnx --container --base ENV
                                               the same in a container, with limits and GPUs; Docker Engine, and a
                                               Python environment (or an image) with numpy and onnxruntime
  limner model add --python ENV handler/       a handler on an interpreter, a virtual or conda environment or a folder
                                               of wheels; Docker Engine
  limner function deploy --path DIR            a function.yaml of CVAT or Nuclio; Docker Engine, and its image
  limner model export-reading FUNCTION         its settings as JSON; used again as NAME.limner.json beside NAME.onnx
  limner model decoder FUNCTION decoder.onnx   the decoder of a function that returns features (CVAT's Segment Anything)
  cvat-cli function create-native NAME --function-file FILE.py
                                               a native function of cvat-sdk, run by cvat-cli function run-agent; Python
                                               with cvat-cli, no Docker Engine`;

interface AddOptions extends JsonOptions {
  readonly python?: string;
  readonly decoder?: string;
  readonly name?: string;
  readonly title?: string;
  readonly labels?: string;
  readonly reading?: string;
  readonly threshold?: number;
  readonly container?: boolean;
  readonly base?: string;
  readonly resourceLimit?: readonly (readonly [string, string])[];
  readonly gpuMemory?: number;
  readonly idleStop?: number;
  readonly check?: boolean;
  readonly chat?: string;
  readonly apiKey?: string;
  readonly instructions?: string;
}

export function addModelCommand(program: Command, context: CliContext): void {
  const group = program
    .command('model')
    .summary('add ONNX models, and handlers on a Python environment')
    .description('Creates functions from models: from an ONNX file alone, or from a handler and a Python environment.')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  addAddCommand(group, context);
  addDecoderCommand(group, context);
  addExportCommand(group, context);
}

function addAddCommand(group: Command, context: CliContext): void {
  const command = group
    .command('add')
    .summary('create a function from a model')
    .description(
      'Creates a function from an ONNX model, which runs in Limner or on an inference server, or from a folder with a handler and its ' +
        'function.yaml, on a base image that is built from a Python environment without the network. With --container the ' +
        'ONNX model runs in a container and can use a GPU.',
    )
    .argument(
      '<file-or-folder>',
      'ONNX file, address of a model on an inference server, or with --python the folder of a handler',
    )
    .addOption(new Option('--python <environment>', 'interpreter, virtual or conda environment, or folder of wheels'))
    .option('--decoder <file>', 'decoder of a Segment Anything encoder, or the recognition model of a text detector')
    .option('--name <name>', 'name of the function (default: name of the file)')
    .option('--title <text>', 'display name')
    .option('--labels <list>', 'labels of the model in order, separated by commas; or @FILE with one per line')
    .option('--reading <number>', 'how to read the outputs, if several ways fit the file (see --check)')
    .option('--threshold <number>', 'minimum score', Number)
    .option('--container', 'run the ONNX file in a container instead of in Limner')
    .option('--base <image-or-environment>', 'for the container: an image, or a Python environment to build one from')
    .addOption(
      new Option('--resource-limit <name=value>', 'for the container: nvidia.com/gpu=1, cpu=2, memory=4Gi').argParser(
        collectPair,
      ),
    )
    .option('--gpu-memory <MiB>', 'GPU memory of the model', parseCount)
    .option('--idle-stop <seconds>', 'stop the container after this time without a call; 0: never', parseSeconds)
    .option('--chat <model>', 'the address is a chat endpoint that offers this model')
    .option('--api-key <key>', 'for a chat endpoint: its API key (default: LIMNER_CHAT_KEY)')
    .option('--instructions <text>', 'for a chat endpoint: text that is added to each question')
    .option('--check', 'print the detected kind and missing parts without adding the model')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action(
    asking(context, async (client, path: string, options: AddOptions) => {
      if (options.chat !== undefined) await addChat(client, path, options.chat, options, context);
      else if (/^https?:/.test(path)) await addFile(client, { url: path }, options, context);
      else if (options.python === undefined) await addFile(client, { path: existingFile(path) }, options, context);
      else await addHandler(client, path, options.python, options, context);
    }),
  );
}

function existingFile(path: string): string {
  const whole = resolve(path);
  if (statSync(whole, { throwIfNoEntry: false })?.isFile() === true) return whole;
  throw usage(`File not found: ${whole}. For the folder of a handler add --python ENV. Nothing was added.`);
}

async function addChat(
  client: ApiClient,
  url: string,
  model: string,
  options: AddOptions,
  context: CliContext,
): Promise<void> {
  if (!/^https?:/.test(url)) {
    throw usage(`--chat needs the address of a chat endpoint, for example http://127.0.0.1:8080/v1, not ${url}.`);
  }
  const { name, title, instructions, apiKey = process.env['LIMNER_CHAT_KEY'] } = options;
  const body = { url, model, ...defined({ name, title, instructions, api_key: apiKey }) };
  const added = await explained(client.call('addChatModel', { body }));
  show(context, options, added, () => `Function ${added.name} asks ${model} at ${url}`);
}

type ModelSource = { readonly path: string } | { readonly url: string };

async function addFile(
  client: ApiClient,
  source: ModelSource,
  options: AddOptions,
  context: CliContext,
): Promise<void> {
  let found = await explained(
    'url' in source
      ? client.call('inspectModelServer', { body: source })
      : client.call('inspectModelFile', { body: source }),
  );
  const decoder =
    options.decoder === undefined
      ? null
      : await explained(client.call('inspectModelFile', { body: { path: existingFile(options.decoder) } }));
  if (options.check) return show(context, options, found, () => lookLines(found));
  if (found.description === null && found.problem === null && found.readings.length > 1) {
    found = { ...found, ...chosenReading(found, options.reading) };
  } else if (options.reading !== undefined) throw usage('--reading needs a file that several readings fit.');
  if (found.description === null) {
    const reason =
      found.needs === 'encoder'
        ? 'It is a decoder. Add its encoder with --decoder.'
        : found.needs === 'detector'
          ? 'It reads lines of text. Add the text detector, with this file as --decoder.'
          : (found.problem ?? '');
    throw failed(`Cannot add ${found.file_name}. ${reason}`);
  }
  if (found.needs === 'decoder' && decoder === null) {
    throw failed(`Cannot add ${found.file_name}: it is an encoder. Give its decoder with --decoder FILE.`);
  }
  const container = await containerFor(client, options, context);
  for (const line of [...found.reasons, ...found.questions.map((one) => `Note: ${one}`)]) note(context, line);
  const model = await explained(
    client.call('addModelFile', {
      body: {
        id: found.id,
        decoder: decoder?.id ?? null,
        name: options.name ?? found.name,
        title: options.title,
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
  show(context, options, model, () => `Function ${model.name} is a ${kind}, in Limner (${model.runtime})`);
}

/** The reading with this number or name; without one the command fails with the list, because Limner never guesses. */
function chosenReading({ file_name, readings }: ModelFileInspection, choice: string | undefined) {
  const chosen = readings.find(({ id }, index) => choice === id || choice === String(index + 1));
  if (chosen !== undefined && chosen.description !== null) {
    const { description, reasons, questions } = chosen;
    return { description, reasons, questions: questions.map(({ text }) => text) };
  }
  const list = readings.map((one, index) => `  ${index + 1} ${readingText(one)}`).join('\n');
  throw failed(`Cannot add ${file_name}: ${readings.length} readings fit. Choose one with --reading NUMBER:\n${list}`);
}

const readingText = ({ name, formula, missing }: ModelFileInspection['readings'][number]): string =>
  [name, formula, missing].filter(Boolean).join('; ');

/** Returns null if the model runs in Limner itself. */
async function containerFor(client: ApiClient, options: AddOptions, context: CliContext) {
  const { container, base, resourceLimit = [], gpuMemory, idleStop } = options;
  const more = { base, 'resource-limit': options.resourceLimit, 'gpu-memory': gpuMemory, 'idle-stop': idleStop };
  if (container !== true) {
    const lone = Object.entries(more).find(([, value]) => value !== undefined);
    if (lone !== undefined) throw usage(`--${lone[0]} needs --container.`);
    return null;
  }
  if (base === undefined) {
    throw usage(
      '--container needs --base: a Python environment with numpy and onnxruntime, or an image that contains them.',
    );
  }
  const isPath = statSync(resolve(base), { throwIfNoEntry: false }) !== undefined;
  return {
    base_image: isPath ? await imageOf(client, resolve(base), context) : base,
    resource_limits: Object.fromEntries(resourceLimit),
    gpu_memory_mib: gpuMemory,
    idle_stop_seconds: idleStop,
  };
}

async function imageOf(client: ApiClient, environment: string, context: CliContext): Promise<string> {
  note(context, 'Building the base image …');
  const { image } = await explained(client.call('buildBaseImage', { body: { language: 'python', environment } }));
  note(context, `Made ${image}`);
  return image;
}

function described(description: ModelDescription, { labels, threshold }: AddOptions): ModelDescription {
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
    throw usage('--threshold must be a number from 0 to 1.');
  return {
    ...description,
    ...defined({ labels: labels === undefined ? undefined : labelsFrom(labels), threshold }),
  };
}

function labelsFrom(text: string): string[] {
  let list = text.split(',');
  if (text.startsWith('@')) {
    try {
      list = readFileSync(text.slice(1), 'utf8').split('\n');
    } catch (cause) {
      throw usage(`Cannot read ${text.slice(1)}. Nothing was added.`, { cause });
    }
  }
  return list.map((one) => one.trim()).filter((one) => one !== '');
}

function kindText({ description, problem, needs, readings }: ModelFileInspection): string {
  if (description !== null) return `${description.kind}, ${description.head}`;
  return problem ?? (readings.length > 1 ? 'several readings fit; choose one with --reading' : `needs its ${needs}`);
}

function lookLines(found: ModelFileInspection): string[] {
  const { description } = found;
  const values = (all: ModelFileInspection['inputs']) =>
    all.map(
      ({ name, type, dimensions }) => `${name} ${type} [${(dimensions ?? []).map((one) => one ?? '?').join(', ')}]`,
    );
  return [
    `File:    ${found.file_name}, ${formatSize(found.size_bytes)}${found.licence === '' ? '' : `, licence ${found.licence}`}`,
    ...values(found.inputs).map((one) => `Input:   ${one}`),
    ...values(found.outputs).map((one) => `Output:  ${one}`),
    `Kind:    ${kindText(found)}`,
    ...(found.readings.length > 1
      ? found.readings.map((one, index) => `Reading: ${index + 1} ${readingText(one)}`)
      : []),
    ...(found.trial === null || found.trial.text === '' ? [] : [`Tried:   ${found.trial.text}`]),
    ...(found.trial?.doubts ?? []).map((one) => `Doubt:   ${one}`),
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
  const found = await explained(client.call('inspectEnvironment', { body: { path } }));
  for (const line of environmentLines(found))
    (options.check ? context.print : (one: string) => note(context, one))(line);
  const directory = resolve(folder);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw usage(`Folder not found: ${directory}. Nothing was created.`);
  }
  if (options.check) return;
  const image = await imageOf(client, path, context);
  const name = options.name === undefined ? {} : { name: options.name };
  const model = await deployFunction(client, { directory, base_image: image, way: 'handler', ...name }, context);
  show(context, options, model, () => `Function ${model.name} is deployed on ${image}`);
}

function environmentLines(found: EnvironmentInspection): string[] {
  const packages = found.packages.map(({ name, version }) => `${name} ${version}`).join(', ');
  return [
    `Python ${found.version} with ${packages === '' ? 'no packages' : packages}`,
    `${found.file_count} files: interpreter ${formatSize(found.interpreter_bytes)}, packages ${formatSize(found.package_bytes)}` +
      (found.gpu_package_bytes > 0 ? `, for GPUs ${formatSize(found.gpu_package_bytes)}` : ''),
    ...found.missing.slice(0, 10).map(({ file, library }) => `Note: ${library}, which ${file} needs, is missing`),
  ];
}

function addDecoderCommand(group: Command, context: CliContext): void {
  const command = group
    .command('decoder')
    .summary('add a decoder to a function that returns features')
    .description(
      "CVAT's Segment Anything returns features of an image, and a decoder converts them to masks. With a decoder only the " +
        'first click on an image calls the function.',
    )
    .argument('<function>', 'name of the function')
    .argument('<file>', 'ONNX file of its decoder');
  addConnectionOptions(command).action(
    asking(context, async (client, name: string, file: string) => {
      const { id, file_name } = await explained(
        client.call('inspectModelFile', { body: { path: existingFile(file) } }),
      );
      await explained(client.call('setDecoder', { params: { name }, body: { id } }));
      context.print(`${file_name} is the decoder of ${name}`);
    }),
  );
}

function addExportCommand(group: Command, context: CliContext): void {
  const command = group
    .command('export-reading')
    .summary('print the settings of an ONNX model as JSON')
    .description(
      'Prints how Limner reads an ONNX model, with the corrections of the user. In a file NAME.limner.json beside ' +
        'NAME.onnx, the settings are used when the model is added again, also on another computer.',
    )
    .argument('<function>', 'name of the function');
  addConnectionOptions(command).action(
    asking(context, async (client, name: string) => {
      const model = await explained(client.call('getModelFile', { params: { name } }));
      context.print(JSON.stringify(settingsOf(model), null, 2));
    }),
  );
}

function formatSize(bytes: number): string {
  const mib = bytes / 1024 ** 2;
  return mib >= 1024 ? `${(mib / 1024).toFixed(1)} GiB` : `${mib.toFixed(1)} MiB`;
}
