import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ModelFunction } from '../../preload/contract/schema/functions.ts';
import {
  isPromptHead,
  modelDescriptionSchema,
  type ModelDescription,
} from '../../preload/contract/schema/model-files.ts';
import type { FunctionDecoders } from '../functions/records/function-model-files.ts';
import { describeModel } from '../functions/configuration/model-description.ts';
import { presentModel, withoutContainer } from '../functions/records/function-record.ts';
import { annotationsOf } from './describe-model.ts';
import { createInvoker } from '../functions/engines/invoke.ts';
import type { AddressSettings } from '../platform/network/address-policy.ts';
import type { OnnxFacts, ServedModel } from './onnx/read-onnx.ts';
import { checkServedModel, readServedModel, serverLine, serverRuntime } from './server/inference-server.ts';
import type { ModelFileRepository, ModelFileRow } from './records/model-file-repository.ts';
import {
  createModelRuntime,
  nodeRuntime,
  RuntimeProblem,
  runtimeLimits,
  type ModelRuntime,
  type StartRuntime,
} from './runtime/runtime-process.ts';
import { findPlacement, thisComputer, type Placement } from './runtime/execution-provider.ts';
import { createFeatureCache, type Prompts } from './sam-session.ts';
import { createPreparedImages } from './image/prepared-images.ts';
import { phraseInputs } from './prompts/phrase-inputs.ts';
import { tokenizerFile } from './prompts/tokenizer-files.ts';
import { missingTokenizer, readTokenizer, type TextTokenizer } from './prompts/tokenizer.ts';
import { detect, encode, featuresFromBlob, maskOf, type LoadedModel } from './onnx-model.ts';
import type { ModelFileStore } from './model-file-store.ts';

interface Dependencies {
  readonly repository: ModelFileRepository;
  readonly store: ModelFileStore;
  readonly runtimesDirectory: string;
  /** For addresses of inference servers. */
  readonly addressSettings: () => AddressSettings;
}

export type ModelFiles = ReturnType<typeof createModelFiles>;

/** Model files and their processes. Knows no other functions. */
export function createModelFiles(dependencies: Dependencies) {
  const { repository, store } = dependencies;
  const runner = createRunner(dependencies);

  return {
    isThere: (name: string): boolean => repository.get(name)?.is_in_container === 0,
    folderInContainer: (name: string): string | null =>
      repository.get(name)?.is_in_container === 1 ? store.folderOf(name) : null,
    known(model: ModelFunction): ModelFunction {
      const row = repository.get(model.name);
      return row?.is_in_container === 1 ? { ...model, ...presentedFile(row) } : model;
    },
    list: (): ModelFunction[] =>
      repository
        .list()
        .filter((row) => row.is_in_container === 0)
        .map((row) => presentOwn(row, runner.where)),
    get(name: string): ModelFunction | null {
      const row = repository.get(name);
      return row?.is_in_container === 0 ? presentOwn(row, runner.where) : null;
    },
    async checkServer(name: string): Promise<boolean> {
      const { served } = factsOf(repository.get(name)?.facts ?? '{}');
      if (served !== undefined) await runner.checkServed(served);
      return served !== undefined;
    },
    async remove(name: string): Promise<void> {
      runner.forget(store.folderOf(name));
      repository.remove(name);
      repository.removeDecoder(name);
      await store.remove(name);
    },
    decoders: createDecoders(repository, runner),
    answer: runner.answer,
    runtimeFor: runner.runtimeFor,
    readServed: runner.readServed,
    where: runner.where,
    forget: runner.forget,
    stop: runner.stop,
  };
}

/** A model and its files, which may still be staged. */
export interface CalledModel {
  readonly name: string;
  readonly folder: string;
  readonly facts: OnnxFacts;
  readonly decoder: OnnxFacts | null;
  readonly description: ModelDescription;
}

export interface ModelCall {
  readonly image: Buffer;
  readonly threshold: number | null;
  readonly prompts: Prompts;
  /** Only for models that take phrases. */
  readonly phrases?: readonly string[];
}

/** Main file of onnxruntime-node. */
const library = () => createRequire(import.meta.url).resolve('onnxruntime-node');

type Runner = ReturnType<typeof createRunner>;

function createRunner(dependencies: Dependencies) {
  const { store, runtimesDirectory } = dependencies;
  const runtimes = new Map<string, ModelRuntime>();
  const tokenizers = new Map<string, TextTokenizer>();
  const features = createFeatureCache();
  const images = createPreparedImages();
  const invoker = createInvoker(dependencies.addressSettings);
  let starting: StartRuntime | undefined;
  let placed: Placement | undefined;

  const start: StartRuntime = (folders) => {
    // Searched with the first model, to keep the start fast.
    starting ??= nodeRuntime(join(runtimesDirectory, 'onnx', 'server.cjs'), library());
    return starting(folders);
  };
  const placement = () => (placed ??= findPlacement(thisComputer(library())));

  function runtimeOf(name: string, folder = store.folderOf(name)): ModelRuntime {
    const known = runtimes.get(folder);
    if (known) return known;
    const runtime = createModelRuntime({ name, folder, start, placement: placement() });
    runtimes.set(folder, runtime);
    return runtime;
  }

  /** A process of this computer, or the server of the model. */
  const runtimeFor = ({ name, folder, facts: { served } }: Pick<CalledModel, 'name' | 'folder' | 'facts'>) =>
    served === undefined ? runtimeOf(name, folder) : serverRuntime(invoker, name, served);

  function tokenizerOf({ name, folder }: CalledModel): TextTokenizer {
    const known = tokenizers.get(folder);
    if (known) return known;
    const path = join(folder, tokenizerFile);
    if (!existsSync(path)) throw new RuntimeProblem(missingTokenizer(name), 'invalid');
    const tokenizer = readTokenizer(name, JSON.parse(readFileSync(path, 'utf8')) as object);
    tokenizers.set(folder, tokenizer);
    return tokenizer;
  }

  function forget(folder: string): void {
    tokenizers.delete(folder);
    runtimes.get(folder)?.stop();
    runtimes.delete(folder);
    features.clear();
  }

  /** @param runtime Default: a process of this computer */
  const answer = (
    model: CalledModel,
    call: ModelCall,
    signal?: AbortSignal,
    runtime: Pick<ModelRuntime, 'run'> = runtimeFor(model),
  ): Promise<unknown> => images.use((prepare) => answerWith({ ...model, runtime, prepare }, call, signal));

  async function answerWith(
    model: CalledModel & Required<Pick<LoadedModel, 'runtime' | 'prepare'>>,
    call: ModelCall,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { head, kind } = model.description;
    if (kind === 'detector') {
      const prompt = isPromptHead(head)
        ? phraseInputs(head, model.facts, tokenizerOf(model), call.phrases ?? [])
        : undefined;
      return detect(model, call.image, call.threshold, signal, prompt);
    }
    if (model.decoder === null) throw new RuntimeProblem(`"${model.name}" has no decoder. Add it with its file.`);
    const key = features.keyOf(model.folder, call.image);
    let found = features.get(key);
    if (found === undefined) {
      found = await encode(model, call.image, signal);
      features.put(key, found);
    }
    return maskOf(model.name, model.runtime, model.decoder, found, call.prompts, signal);
  }

  return {
    features,
    runtimeOf,
    runtimeFor,
    readServed: (address: string) => readServedModel(invoker, address),
    checkServed: (served: ServedModel) => checkServedModel(invoker, served),
    where: (name: string, served?: ServedModel): string =>
      served === undefined ? (runtimes.get(store.folderOf(name))?.where() ?? placement().text) : serverLine(served),
    forget,
    answer,
    stop(): void {
      for (const runtime of runtimes.values()) runtime.stop();
      runtimes.clear();
      images.clear();
      invoker.close();
    },
  };
}

/** Decoders for functions that run elsewhere and return features instead of a mask. */
function createDecoders(repository: ModelFileRepository, { features, runtimeOf }: Runner): FunctionDecoders {
  return {
    has: (name) => repository.decoder(name) !== undefined,
    known: (name, image) => features.get(features.keyOf(name, image)) !== undefined,
    async mask(name, image, size, blob, fields, signal) {
      const row = repository.decoder(name);
      if (!row) throw new RuntimeProblem(`"${name}" returns features, but has no decoder to convert them to a mask.`);
      const key = features.keyOf(name, image);
      const found = blob === null ? features.get(key) : featuresFromBlob(blob, size);
      if (found === undefined) throw new RuntimeProblem('The features of the image have expired. Click again.');
      features.put(key, found);
      return maskOf(name, runtimeOf(name), factsOf(row.facts), found, readPrompts(fields), signal);
    },
  };
}

export const factsOf = (text: string) => JSON.parse(text) as OnnxFacts;
export const descriptionFrom = (row: ModelFileRow): ModelDescription =>
  modelDescriptionSchema.parse(JSON.parse(row.description));

/** Details of the model file, independent of where it runs. */
export function presentedFile(row: ModelFileRow) {
  const { name, title } = row;
  const model = describeModel({ name, description: '', annotations: annotationsOf(title, descriptionFrom(row)) });
  return { ...presentModel(model), is_model_file: true, title, description: row.file_name };
}

/** @param where returns the line that says where the model runs */
export function presentOwn(row: ModelFileRow, where: (name: string, served?: ServedModel) => string): ModelFunction {
  const { served } = factsOf(row.facts);
  return {
    ...withoutContainer(),
    ...presentedFile(row),
    name: row.name,
    state: 'ready',
    replicas: '1/1',
    provider: 'limner',
    runtime: where(row.name, served),
    address: served === undefined ? null : `${served.url}/v2/models/${served.model}`,
    memory_bytes: served === undefined ? runtimeLimits.memoryMiB * 1024 * 1024 : null,
    agents: null,
    idle_stop_seconds: Math.round(runtimeLimits.idleMs / 1000),
    created_date: row.created_date,
    updated_date: row.updated_date,
  };
}

/** Prompts among the fields of a call, as CVAT names them. */
export function readPrompts(body: Readonly<Record<string, unknown>>): Prompts {
  const pairs = (value: unknown): number[][] =>
    (Array.isArray(value) ? (value as unknown[]) : []).flatMap((pair) => {
      const numbers = Array.isArray(pair) ? pair.slice(0, 2).map(Number) : [];
      return numbers.length === 2 && numbers.every(Number.isFinite) ? [numbers] : [];
    });
  const box = pairs(body['obj_bbox']);
  return { positive: pairs(body['pos_points']), negative: pairs(body['neg_points']), box: box.length === 2 ? box : [] };
}
