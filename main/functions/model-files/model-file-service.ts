import type { Readable } from 'node:stream';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { z } from 'zod';
import type { DeployRequest, ModelFunction } from '../../../preload/contract/schema/functions.ts';
import {
  modelDescriptionSchema,
  type ModelFile,
  type ModelContainer,
  type ModelDescription,
  type ModelFileInspection,
  type modelFileTrialSchema,
  type modelFileWriteSchema,
} from '../../../preload/contract/schema/model-files.ts';
import { parseTolerantJson } from '../../../preload/contract/tolerant-json.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { describeModel } from '../configuration/model-description.ts';
import {
  defaultTimeoutMs,
  type FunctionProvider,
  type Invocation,
  type ProvidedFunction,
} from '../engines/provider.ts';
import { containerRuntime } from './container/container-runtime.ts';
import { sessionFunction } from './container/session-function.ts';
import { presentModel, presentRecord, withoutContainer, type FunctionRecord } from '../records/function-record.ts';
import { annotationsOf } from './describe-model.ts';
import type { OnnxFacts } from './onnx/read-onnx.ts';
import { recognise } from './recognise/recognise.ts';
import type { ModelFileRepository, ModelFileRow } from './records/model-file-repository.ts';
import {
  createModelRuntime,
  nodeRuntime,
  RuntimeProblem,
  runtimeLimits,
  type ModelRuntime,
  type StartRuntime,
} from './runtime/runtime-process.ts';
import { createFeatureCache, type Prompts } from './sam-session.ts';
import { detect, encode, featuresFromBlob, maskOf } from './onnx-model.ts';
import type { StagedFile, ModelFileStore } from './model-file-store.ts';

interface Dependencies {
  readonly repository: ModelFileRepository;
  readonly store: ModelFileStore;
  readonly clock: Clock;
  readonly isTaken: (name: string) => boolean;
  readonly isFunction: (name: string) => Promise<boolean>;
  /** Functions in containers; a model can run in one with the same name. */
  readonly functions: Pick<FunctionProvider, 'find' | 'invoke'> & {
    /**
     * Resolves when the deployment is admitted; it continues in the background. @throws AppError for every error that
     * can be known in advance
     */
    readonly deploy: (request: DeployRequest, actor: Actor) => Promise<FunctionRecord>;
  };
  readonly runtimesDirectory: string;
  /** Starts model processes if this process is not plain Node. */
  readonly start?: StartRuntime | undefined;
}

const namePattern = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/;
const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
const view = (actor: Actor) => requireAllowed(actor, 'function', 'view', noFacts);

export type ModelFiles = ReturnType<typeof createModelFiles>;

export function createModelFiles(dependencies: Dependencies) {
  const { repository, store, functions } = dependencies;
  const runner = createRunner(dependencies);
  const { answer, answering, forget, required } = runner;

  async function offered(row: ModelFileRow): Promise<ProvidedFunction | null> {
    if (row.is_in_container === 0) return provided(row);
    const found = await functions.find(row.name);
    return found && { ...found, annotations: annotationsOf(row.title, descriptionFrom(row)) };
  }

  const provider: FunctionProvider = {
    list: async () => (await Promise.all(repository.list().map(offered))).filter((one) => one !== null),
    async find(name) {
      const row = repository.get(name);
      return row ? offered(row) : null;
    },
    async invoke(name, { body, signal, onSend, timeoutMs }) {
      const text = Buffer.concat(body).toString('utf8');
      const call = { ...readCall(text), onSend, timeoutMs };
      const found = await answer(answering(required(name)), call, signal);
      const headers = { 'content-type': 'application/json' };
      return { status: 200, headers, body: Buffer.from(JSON.stringify(found)) };
    },
  };

  return {
    provider,
    /** True if the model runs in Limner itself. */
    isThere: (name: string): boolean => repository.get(name)?.is_in_container === 0,
    /** Folder of the model files that run in the function's container; null if it has none. */
    folderInContainer: (name: string): string | null =>
      repository.get(name)?.is_in_container === 1 ? store.folderOf(name) : null,
    /** Adds the model file's details to a function that runs it. */
    known(model: ModelFunction): ModelFunction {
      const row = repository.get(model.name);
      return row?.is_in_container === 1 ? { ...model, ...presentedFile(row) } : model;
    },
    list: (): ModelFunction[] =>
      repository
        .list()
        .filter((row) => row.is_in_container === 0)
        .map(presentOwn),
    get(name: string): ModelFunction | null {
      const row = repository.get(name);
      return row?.is_in_container === 0 ? presentOwn(row) : null;
    },
    async remove(name: string): Promise<void> {
      forget(store.folderOf(name));
      repository.remove(name);
      repository.removeDecoder(name);
      await store.remove(name);
    },
    service: createService(dependencies, runner),
    decoders: createDecoders(dependencies, runner),
    stop: runner.stop,
  };
}

interface Answering {
  readonly name: string;
  readonly folder: string;
  readonly facts: OnnxFacts;
  readonly decoder: OnnxFacts | null;
  readonly description: ModelDescription;
  readonly isInContainer: boolean;
}

type Runner = ReturnType<typeof createRunner>;

function createRunner(dependencies: Dependencies) {
  const { repository, store, functions, runtimesDirectory } = dependencies;
  const runtimes = new Map<string, ModelRuntime>();
  const features = createFeatureCache();
  let starting: StartRuntime | undefined = dependencies.start;

  const start: StartRuntime = (folders) => {
    // Searched with the first model, to keep the start fast.
    starting ??= nodeRuntime(
      join(runtimesDirectory, 'onnx', 'server.cjs'),
      createRequire(import.meta.url).resolve('onnxruntime-node'),
    );
    return starting(folders);
  };

  function runtimeOf(name: string, folder = store.folderOf(name)): ModelRuntime {
    const known = runtimes.get(folder);
    if (known) return known;
    const runtime = createModelRuntime({ name, folder, start });
    runtimes.set(folder, runtime);
    return runtime;
  }

  function forget(folder: string): void {
    runtimes.get(folder)?.stop();
    runtimes.delete(folder);
    features.clear();
  }

  function required(name: string): ModelFileRow {
    const row = repository.get(name);
    if (row) return row;
    throw notFound(`There is no model file named "${name}".`);
  }

  const answering = (row: ModelFileRow): Answering => ({
    name: row.name,
    folder: store.folderOf(row.name),
    facts: factsOf(row.facts),
    decoder: row.decoder_facts === null ? null : factsOf(row.decoder_facts),
    description: descriptionFrom(row),
    isInContainer: row.is_in_container === 1,
  });

  async function answer(model: Answering, call: Call, signal?: AbortSignal): Promise<unknown> {
    const { timeoutMs = defaultTimeoutMs, onSend } = call;
    const { name } = model;
    const invoke = (invocation: Invocation) => functions.invoke(name, invocation);
    const runtime = model.isInContainer
      ? containerRuntime({ name, invoke, timeoutMs, onSend })
      : runtimeOf(name, model.folder);
    const loaded = { ...model, runtime };
    if (model.description.kind === 'detector') return detect(loaded, call.image, call.threshold, signal);
    if (model.decoder === null) throw new RuntimeProblem(`"${model.name}" has no decoder. Add it with its file.`);
    const key = features.keyOf(model.folder, call.image);
    let found = features.get(key);
    if (found === undefined) {
      found = await encode(loaded, call.image, signal);
      features.put(key, found);
    }
    return maskOf(model.name, runtime, model.decoder, found, call.prompts, signal);
  }

  return {
    features,
    runtimeOf,
    forget,
    required,
    answering,
    answer,
    stop(): void {
      for (const runtime of runtimes.values()) runtime.stop();
      runtimes.clear();
    },
  };
}

function createService(dependencies: Dependencies, { answer, forget, required }: Runner) {
  const { repository, store, clock, isTaken, isFunction } = dependencies;
  return {
    async inspectFile(actor: Actor, path: string): Promise<ModelFileInspection> {
      manage(actor);
      return look(await store.takeFile(path));
    },
    async inspectUpload(actor: Actor, content: Readable, fileName: string): Promise<ModelFileInspection> {
      manage(actor);
      return look(await store.take(content, fileName));
    },
    /** Runs a model with this description on an image before it is saved. */
    async tryOut(actor: Actor, trial: z.output<typeof modelFileTrialSchema>, signal?: AbortSignal) {
      manage(actor);
      const { description, id, decoder } = trial;
      const begun = performance.now();
      const { facts } = store.require(id).file;
      const folder = await store.trialFolder(id, decoder, description.frees_sizes);
      forget(folder);
      const model: Answering = {
        name: store.require(id).fileName,
        folder,
        facts,
        decoder: decoder === null ? null : store.require(decoder).file.facts,
        description,
        isInContainer: false,
      };
      const prompts = { positive: trial.points, negative: [], box: [] };
      const call = { image: Buffer.from(trial.image, 'base64'), threshold: null, prompts };
      try {
        const found = await answer(model, call, signal);
        return { answer: JSON.stringify(found), duration_ms: performance.now() - begun };
      } finally {
        forget(folder);
      }
    },
    async add(actor: Actor, body: z.output<typeof modelFileWriteSchema>): Promise<ModelFunction> {
      manage(actor);
      const { name, description, id, decoder, container = null } = body;
      if (!namePattern.test(name)) {
        throw invalidField(
          'name',
          'Use lower-case letters, digits, "-", "." and "_", with a letter or digit at both ends.',
        );
      }
      if (isTaken(name)) {
        throw new AppError(
          'conflict',
          `A function named "${name}" already exists. Delete it first, or choose another name.`,
        );
      }
      requireDescribed(description, decoder !== null);
      const file = store.require(id);
      const half = decoder === null ? null : store.require(decoder);
      await store.keep(name, id, decoder, description.frees_sizes);
      const date = clock();
      repository.insert({
        name,
        title: body.title || name,
        file_name: file.fileName,
        size_bytes: file.sizeBytes,
        sha256: file.sha256,
        facts: JSON.stringify(file.file.facts),
        decoder_file_name: half?.fileName ?? null,
        decoder_facts: half === null ? null : JSON.stringify(half.file.facts),
        description: JSON.stringify(description),
        is_in_container: container === null ? 0 : 1,
        owner_id: actor.userId,
        created_date: date,
        updated_date: date,
      });
      const row = required(name);
      const model = container === null ? presentOwn(row) : await deploy(dependencies, actor, row, container);
      for (const taken of [id, decoder]) if (taken !== null) await store.drop(taken);
      return model;
    },
    get(actor: Actor, name: string): ModelFile {
      view(actor);
      return presentModelFile(required(name));
    },
    update(
      actor: Actor,
      name: string,
      patch: { title?: string | undefined; description: ModelDescription },
    ): ModelFile {
      manage(actor);
      const row = required(name);
      requireDescribed(patch.description, row.decoder_file_name !== null);
      if (patch.description.frees_sizes !== descriptionFrom(row).frees_sizes) {
        throw invalidField('frees_sizes', 'The sizes are part of the saved file. Add the file again.');
      }
      repository.describe(name, patch.title || row.title, JSON.stringify(patch.description), clock());
      forget(store.folderOf(name));
      return presentModelFile(required(name));
    },
    async setDecoder(actor: Actor, name: string, id: string): Promise<void> {
      manage(actor);
      if (!(await isFunction(name))) throw notFound(`There is no function "${name}".`);
      const half = store.require(id);
      if (recognise(half.file.facts).needs !== 'encoder') {
        throw invalidField(
          'id',
          `${half.fileName} is not a decoder of Segment Anything: it does not take points and features.`,
        );
      }
      const { fileName, sizeBytes, sha256, file } = half;
      forget(store.folderOf(name));
      await store.keepDecoder(name, id);
      repository.putDecoder({
        function_name: name,
        file_name: fileName,
        size_bytes: sizeBytes,
        sha256,
        facts: JSON.stringify(file.facts),
        created_date: clock(),
      });
    },
  };
}

/** In a container the model is a normal function: deployed, monitored, stopped and deleted by its name. */
async function deploy(
  { repository, store, functions, runtimesDirectory }: Dependencies,
  actor: Actor,
  row: ModelFileRow,
  container: ModelContainer,
): Promise<ModelFunction> {
  const { name, title, file_name: fileName } = row;
  const annotations = annotationsOf(title, descriptionFrom(row));
  const folder = store.folderOf(name);
  try {
    const request = await sessionFunction({ name, fileName, annotations, folder, runtimesDirectory, container });
    const record = await functions.deploy(request, actor);
    return { ...presentRecord(record), ...presentedFile(row) };
  } catch (error) {
    repository.remove(name);
    await store.remove(name);
    throw error;
  }
}

/** Decoders for functions that run elsewhere and return features instead of a mask. */
function createDecoders({ repository }: Dependencies, { features, runtimeOf }: Runner) {
  return {
    has: (name: string): boolean => repository.decoder(name) !== undefined,
    known: (name: string, image: Uint8Array): boolean => features.get(features.keyOf(name, image)) !== undefined,
    /** @param blob answer of the function; null if its features are cached */
    async mask(
      name: string,
      image: Uint8Array,
      size: { readonly width: number; readonly height: number },
      blob: string | null,
      prompts: Prompts,
      signal?: AbortSignal,
    ): Promise<unknown> {
      const row = repository.decoder(name);
      if (!row) throw new RuntimeProblem(`"${name}" returns features, but has no decoder to convert them to a mask.`);
      const key = features.keyOf(name, image);
      const found = blob === null ? features.get(key) : featuresFromBlob(blob, size);
      if (found === undefined) throw new RuntimeProblem('The features of the image have expired. Click again.');
      features.put(key, found);
      return maskOf(name, runtimeOf(name), factsOf(row.facts), found, prompts, signal);
    },
  };
}

function requireDescribed(description: ModelDescription, hasDecoder: boolean): void {
  if (description.kind === 'interactor') {
    if (!hasDecoder)
      throw invalidField('decoder', 'An encoder alone creates no masks. Choose the file of its decoder as well.');
    return;
  }
  if (description.labels.length === 0) throw invalidField('labels', 'Enter the labels of the model in their order.');
  if (description.output.shape === 'skeleton' && description.keypoints.length === 0) {
    throw invalidField('keypoints', 'Enter the points of the skeleton in their order.');
  }
}

const factsOf = (text: string) => JSON.parse(text) as OnnxFacts;
const descriptionFrom = (row: ModelFileRow): ModelDescription =>
  modelDescriptionSchema.parse(JSON.parse(row.description));

function look(staged: StagedFile): ModelFileInspection {
  const { facts } = staged.file;
  const { id, fileName, sizeBytes, sha256 } = staged;
  const name = fileName
    .toLowerCase()
    .replace(/\.onnx$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63);
  const clip = (text: string) => text.slice(0, 4096);
  return {
    id,
    file_name: fileName,
    size_bytes: sizeBytes,
    sha256,
    producer: facts.producer,
    licence: facts.metadata['license'] ?? '',
    inputs: facts.inputs.map((value) => ({ ...value, dimensions: value.dimensions && [...value.dimensions] })),
    outputs: facts.outputs.map((value) => ({ ...value, dimensions: value.dimensions && [...value.dimensions] })),
    metadata: Object.fromEntries(Object.entries(facts.metadata).map(([key, value]) => [key, clip(value)])),
    name: name || 'model',
    ...recognise(facts),
  };
}

function provided(row: ModelFileRow): ProvidedFunction {
  return {
    name: row.name,
    description: `${row.file_name}, in Limner`,
    annotations: annotationsOf(row.title, descriptionFrom(row)),
    provider: 'limner',
    project: 'default',
    state: 'ready',
    message: '',
    port: null,
    workers: 1,
    timeoutMs: defaultTimeoutMs,
  };
}

/** Details of the model file, independent of where it runs. */
function presentedFile(row: ModelFileRow) {
  const { name, title } = row;
  const model = describeModel({ name, description: '', annotations: annotationsOf(title, descriptionFrom(row)) });
  return { ...presentModel(model), is_model_file: true, title, description: row.file_name };
}

function presentOwn(row: ModelFileRow): ModelFunction {
  return {
    ...withoutContainer(),
    ...presentedFile(row),
    name: row.name,
    state: 'ready',
    replicas: '1/1',
    provider: 'limner',
    runtime: 'onnxruntime, on the CPU',
    memory_bytes: runtimeLimits.memoryMiB * 1024 * 1024,
    agents: null,
    idle_stop_seconds: Math.round(runtimeLimits.idleMs / 1000),
    created_date: row.created_date,
    updated_date: row.updated_date,
  };
}

function presentModelFile(row: ModelFileRow): ModelFile {
  const { name, title, file_name, size_bytes, sha256, decoder_file_name } = row;
  const licence = factsOf(row.facts).metadata['license'] ?? '';
  return { name, title, file_name, size_bytes, sha256, decoder_file_name, licence, description: descriptionFrom(row) };
}

interface Call {
  readonly image: Buffer;
  readonly threshold: number | null;
  readonly prompts: Prompts;
  readonly timeoutMs?: number;
  readonly onSend?: (() => void) | undefined;
}

/** Parses the body that CVAT sends to functions. */
function readCall(text: string): Call {
  const body = Object(parseTolerantJson(text)) as Record<string, unknown>;
  const { image, threshold } = body;
  if (typeof image !== 'string' || image === '') throw invalidField('image', 'The call contains no image.');
  return {
    image: Buffer.from(image, 'base64'),
    threshold: typeof threshold === 'number' && Number.isFinite(threshold) ? threshold : null,
    prompts: readPrompts(body),
  };
}

export function readPrompts(body: Readonly<Record<string, unknown>>): Prompts {
  const pairs = (value: unknown): number[][] =>
    (Array.isArray(value) ? (value as unknown[]) : []).flatMap((pair) => {
      const numbers = Array.isArray(pair) ? pair.slice(0, 2).map(Number) : [];
      return numbers.length === 2 && numbers.every(Number.isFinite) ? [numbers] : [];
    });
  const box = pairs(body['obj_bbox']);
  return { positive: pairs(body['pos_points']), negative: pairs(body['neg_points']), box: box.length === 2 ? box : [] };
}
