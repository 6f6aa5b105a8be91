import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { ModelFunction } from '../../preload/contract/schema/functions.ts';
import {
  isPromptHead,
  type ModelFile,
  type ModelContainer,
  type ModelDescription,
  type ModelFileInspection,
  type modelFileTrialSchema,
  type modelFileWriteSchema,
} from '../../preload/contract/schema/model-files.ts';
import type { Clock } from '../platform/clock.ts';
import { AppError, invalidField, notFound } from '../platform/errors.ts';
import { noFacts, requireAllowed } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import type { FunctionCatalog } from '../functions/catalog/function-catalog.ts';
import type { Deployer } from '../functions/deploy/deployer.ts';
import { presentRecord } from '../functions/records/function-record.ts';
import type { FunctionRecords } from '../functions/records/function-records.ts';
import { sessionFunction } from './container/session-function.ts';
import { annotationsOf } from './describe-model.ts';
import { sampleSize } from '../../preload/contract/sample-image.ts';
import { sampleImage } from './sample-image.ts';
import { inspectModel, type Inspected } from './first-run.ts';
import { readConfigurations } from './configurations/read-configuration.ts';
import { readSavedSettings } from './configurations/saved-settings.ts';
import { allReadings, recognise } from './recognise/recognise.ts';
import { tokenizerElsewhere } from './recognise/readings/text.ts';
import { descriptionFrom, factsOf, presentedFile, presentOwn, type ModelCall, type ModelFiles } from './model-files.ts';
import type { ModelFileRepository, ModelFileRow } from './records/model-file-repository.ts';
import { tokenizerFile, tokenizerFrom } from './prompts/tokenizer-files.ts';
import { missingTokenizer } from './prompts/tokenizer.ts';
import { withLineReader } from './line-reader.ts';
import { missingFiles, missingText, type StagedFile } from './model-file-parts.ts';
import type { ModelFileStore } from './model-file-store.ts';

interface Dependencies {
  readonly files: Pick<ModelFiles, 'answer' | 'forget' | 'runtimeFor' | 'readServed' | 'where'>;
  readonly repository: ModelFileRepository;
  readonly store: ModelFileStore;
  readonly records: Pick<FunctionRecords, 'get'>;
  readonly catalog: Pick<FunctionCatalog, 'find'>;
  readonly deployer: Pick<Deployer, 'start'>;
  readonly runtimesDirectory: string;
  readonly clock: Clock;
}

const namePattern = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/;
const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
const view = (actor: Actor) => requireAllowed(actor, 'function', 'view', noFacts);

/** Adds model files as functions, which run in Limner itself or in a container. */
export function createModelFileService(dependencies: Dependencies) {
  const { files, repository, store, records, clock } = dependencies;

  const required = (name: string): ModelFileRow => requiredRow(repository, name);

  return {
    async inspectFile(actor: Actor, path: string): Promise<ModelFileInspection> {
      manage(actor);
      return inspected(dependencies, await store.takeFile(path));
    },
    /** @param url address of a model on a server of the Open Inference Protocol */
    async inspectServer(actor: Actor, url: string): Promise<ModelFileInspection> {
      manage(actor);
      const facts = await files.readServed(url);
      return inspected(dependencies, await store.takeServed(facts, facts.served?.model ?? url));
    },
    /** @param model id of the uploaded model that the file belongs to; null for a model */
    async inspectUpload(
      actor: Actor,
      content: Readable,
      fileName: string,
      model: string | null = null,
    ): Promise<ModelFileInspection> {
      manage(actor);
      const staged = model === null ? store.take(content, fileName) : store.attach(model, content, fileName);
      return inspected(dependencies, await staged);
    },
    /** Runs a model with this description on an image before it is saved. */
    async tryOut(actor: Actor, trial: z.output<typeof modelFileTrialSchema>, signal?: AbortSignal) {
      manage(actor);
      const { id, decoder, text_prompts: phrases = [] } = trial;
      const begun = performance.now();
      const file = store.require(id);
      const half = decoder === null ? null : store.require(decoder);
      const description = withLineReader(trial.description, half);
      const prompts = { positive: trial.points, negative: [], box: [] };
      const image = Buffer.from(trial.image, 'base64');
      const call = { image, threshold: null, prompts, phrases };
      const found = await answerOnce(dependencies, { file, half, description }, call, signal);
      return { answer: JSON.stringify(found), duration_ms: performance.now() - begun };
    },
    async add(actor: Actor, body: z.output<typeof modelFileWriteSchema>): Promise<ModelFunction> {
      manage(actor);
      const { name, id, decoder, container = null } = body;
      if (!namePattern.test(name)) {
        throw invalidField(
          'name',
          'Use lower-case letters, digits, "-", "." and "_", with a letter or digit at both ends.',
        );
      }
      if (records.get(name) || repository.get(name)?.is_in_container === 0) {
        throw new AppError(
          'conflict',
          `A function named "${name}" already exists. Delete it first, or choose another name.`,
        );
      }
      const file = store.require(id);
      const half = decoder === null ? null : store.require(decoder);
      if (container !== null && file.file.facts.served !== undefined) {
        throw invalidField('container', 'Its server runs this model. Add it without a container.');
      }
      const description = withLineReader(body.description, half);
      requireDescribed(description, half !== null);
      await requireRunning(dependencies, { file, half, description });
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
      const model =
        container === null ? presentOwn(row, files.where) : await deploy(dependencies, actor, row, container);
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
      files.forget(store.folderOf(name));
      return presentModelFile(required(name));
    },
    setDecoder: (actor: Actor, name: string, id: string): Promise<void> => setDecoder(dependencies, actor, name, id),
  };
}

async function setDecoder(
  { files, repository, store, catalog, clock }: Dependencies,
  actor: Actor,
  name: string,
  id: string,
): Promise<void> {
  manage(actor);
  // An unreachable dashboard counts as not having the function.
  if (!(await catalog.find(name).catch(() => null))) throw notFound(`There is no function "${name}".`);
  const half = store.require(id);
  if (recognise(half.file.facts).needs !== 'encoder') {
    throw invalidField(
      'id',
      `${half.fileName} is not a decoder of Segment Anything: it does not take points and features.`,
    );
  }
  const { fileName, sizeBytes, sha256, file } = half;
  if (file.dataFiles.length > 0) {
    throw invalidField('id', `${fileName} stores its weights in other files. Save the decoder as one file.`);
  }
  files.forget(store.folderOf(name));
  await store.keepDecoder(name, id);
  repository.putDecoder({
    function_name: name,
    file_name: fileName,
    size_bytes: sizeBytes,
    sha256,
    facts: JSON.stringify(file.facts),
    created_date: clock(),
  });
}

/** @throws AppError 404 */
export function requiredRow(repository: Pick<ModelFileRepository, 'get'>, name: string): ModelFileRow {
  const row = repository.get(name);
  if (row) return row;
  throw notFound(`There is no model file named "${name}".`);
}

/** In a container the model is a normal function: deployed, monitored, stopped and deleted by its name. */
async function deploy(
  { repository, store, deployer, runtimesDirectory }: Dependencies,
  actor: Actor,
  row: ModelFileRow,
  container: ModelContainer,
): Promise<ModelFunction> {
  const { name, title, file_name: fileName } = row;
  const annotations = annotationsOf(title, descriptionFrom(row));
  const folder = store.folderOf(name);
  try {
    const request = await sessionFunction({ name, fileName, annotations, folder, runtimesDirectory, container });
    const record = await deployer.start(request, actor);
    return { ...presentRecord(record), ...presentedFile(row) };
  } catch (error) {
    repository.remove(name);
    await store.remove(name);
    throw error;
  }
}

interface StagedModel {
  readonly file: StagedFile;
  readonly half: StagedFile | null;
  readonly description: ModelDescription;
}

/** Runs a model that is not added yet. */
function answerOnce(
  { files, store }: Pick<Dependencies, 'files' | 'store'>,
  { file, half, description }: StagedModel,
  call: ModelCall,
  signal?: AbortSignal,
): Promise<unknown> {
  return store.withTrialFolder(file.id, half?.id ?? null, description.frees_sizes, async (folder) => {
    const { facts } = file.file;
    const model = { name: file.fileName, folder, facts, decoder: half?.file.facts ?? null, description };
    try {
      return await files.answer(model, call, signal);
    } finally {
      files.forget(folder);
    }
  });
}

/** @throws AppError 400 if the model fails with this description; one that only lacks a runtime here is accepted */
async function requireRunning(dependencies: Dependencies, model: StagedModel): Promise<void> {
  const middle = [sampleSize.width / 2, sampleSize.height / 2];
  const prompts = { positive: [middle], negative: [], box: [] };
  const phrases = ['object'];
  try {
    await answerOnce(dependencies, model, { image: await sampleImage(), threshold: null, prompts, phrases });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'invalid') throw error;
  }
}

function requireDescribed(description: ModelDescription, hasDecoder: boolean): void {
  if (description.kind === 'interactor') {
    if (!hasDecoder)
      throw invalidField('decoder', 'An encoder alone creates no masks. Choose the file of its decoder as well.');
    return;
  }
  if (isPromptHead(description.head)) return;
  if (description.labels.length === 0) throw invalidField('labels', 'Enter the labels of the model in their order.');
  if (description.output.shape === 'skeleton' && description.keypoints.length === 0) {
    throw invalidField('keypoints', 'Enter the points of the skeleton in their order.');
  }
}

/** Runs the model once, so that one that cannot run is never added. */
async function inspected({ files, store }: Dependencies, staged: StagedFile): Promise<ModelFileInspection> {
  const { id, fileName: name, file } = staged;
  const { facts } = file;
  const missing = missingFiles(staged);
  const beside = readConfigurations(staged.configurations, name);
  const saved = readSavedSettings(staged.configurations, staged.sha256);
  if (missing.length > 0) {
    const known = {
      ...recognise(facts, null, allReadings, beside),
      description: null,
      problem: missingText(name, missing),
    };
    return look(staged, { ...known, trial: null });
  }
  const inspectIn = async (folder: string) => {
    try {
      return look(
        staged,
        await inspectModel({ name, facts, beside, saved, runtime: files.runtimeFor({ name, folder, facts }) }),
      );
    } finally {
      files.forget(folder);
    }
  };
  // Only files whose declared sizes are wrong are changed, and so copied, before their first run.
  const isFreed = (saved?.description ?? recognise(facts).description)?.frees_sizes === true;
  return isFreed ? store.withTrialFolder(id, null, true, inspectIn) : inspectIn(store.stagedFolder(id));
}

function look(staged: StagedFile, found: Inspected): ModelFileInspection {
  const { facts } = staged.file;
  const { id, fileName, sizeBytes, sha256 } = staged;
  const takesPhrases = found.description !== null && isPromptHead(found.description.head);
  const lacksTokenizer = takesPhrases && tokenizerFrom(staged.configurations) === null;
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
    missing_files: missingFiles(staged),
    ...(takesPhrases && !lacksTokenizer ? withoutTokenizerQuestion(found) : found),
    ...(lacksTokenizer
      ? { description: null, problem: missingTokenizer(fileName), missing_files: [tokenizerFile] }
      : {}),
  };
}

function withoutTokenizerQuestion(found: Inspected): Inspected {
  const readings = found.readings.map((one) => ({
    ...one,
    questions: one.questions.filter(({ text }) => text !== tokenizerElsewhere),
  }));
  return { ...found, readings, questions: found.questions.filter((text) => text !== tokenizerElsewhere) };
}

function presentModelFile(row: ModelFileRow): ModelFile {
  const { name, title, file_name, size_bytes, sha256, decoder_file_name } = row;
  const licence = factsOf(row.facts).metadata['license'] ?? '';
  return { name, title, file_name, size_bytes, sha256, decoder_file_name, licence, description: descriptionFrom(row) };
}
