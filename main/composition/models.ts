import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createBatchPredictions, type PredictionParts } from '../functions/batches/batch-predictions.ts';
import { createBatchQueue } from '../functions/batches/batch-queue.ts';
import { createBatchRepository } from '../functions/batches/batch-repository.ts';
import { createBatchRunner } from '../functions/batches/batch-run.ts';
import { createBatchService } from '../functions/batches/batch-service.ts';
import { createBatchTargets, type BatchLists } from '../functions/batches/batch-parts.ts';
import { createAutoannotateRunner, isNativeRun } from '../functions/calls/autoannotate-runner.ts';
import { createLambdaCallService } from '../functions/calls/lambda-call-service.ts';
import { createLambdaRequestService } from '../functions/calls/lambda-request-service.ts';
import { createModelCaller, type ModelCaller } from '../functions/calls/model-caller.ts';
import { autoannotateType } from '../functions/calls/run-parameters.ts';
import { createTrackerStates } from '../functions/calls/tracker-call.ts';
import type { EngineEnvironment } from '../functions/engines/docker/engine.ts';
import { createFunctions, type CoreEnd, type Functions } from '../functions/functions.ts';
import type { NvidiaSmi } from '../functions/gpu/nvidia-smi.ts';
import { createModelFileProvider } from '../model-files/model-file-provider.ts';
import { createModelFileService } from '../model-files/model-file-service.ts';
import { createModelFileStore } from '../model-files/model-file-store.ts';
import { createModelFiles } from '../model-files/model-files.ts';
import { createModelFileRepository } from '../model-files/records/model-file-repository.ts';
import { requester } from '../users/accounts/requester.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { FrameService } from '../work/tasks/frame-service.ts';
import type { Foundation } from './foundation.ts';

export interface FunctionOptions {
  /** Program folder with `runtimes/` and `functions/`. */
  readonly resourcesDirectory?: string;
  readonly nvidiaSmi?: NvidiaSmi;
  /** For tests; defaults to this process's environment. */
  readonly engine?: EngineEnvironment;
}

interface ModelDependencies {
  readonly annotations: AnnotationService;
  readonly frames: FrameService;
  readonly lists: BatchLists;
  readonly predictionSets: PredictionParts;
  readonly options: FunctionOptions | undefined;
}

export type Models = ReturnType<typeof createModels>;

/** Model functions, model files, and their calls: single ones, automatic annotation of tasks, and batches. */
export function createModels(foundation: Foundation, dependencies: ModelDependencies) {
  const { functions, files, modelFiles } = createFunctionsAndModelFiles(foundation, dependencies);
  const { repository, catalog } = functions;
  const { access, queue, requests, requestRows, log, repositories } = foundation;
  const { tasks, jobs, labelRows: labels } = repositories;
  const { annotations, frames } = dependencies;
  const models = createModelCaller(catalog);
  const key = repository.setting('tracker-key', () => randomBytes(32).toString('hex'));
  const states = createTrackerStates(Buffer.from(key, 'hex'));
  const { decoders } = files;
  const batches = createBatches(foundation, dependencies, { functions, models });
  registerAutoannotation(foundation, dependencies, { functions, models });
  return {
    ...functions,
    modelFiles,
    calls: createLambdaCallService({
      annotations,
      catalog,
      models,
      frames,
      labels,
      tasks,
      jobs,
      states,
      decoders,
      log,
    }),
    requests: createLambdaRequestService({
      models,
      frames,
      labels,
      tasks,
      jobs,
      access,
      requests,
      requestRows,
      queue,
    }),
    batches: batches.service,
    batchQueue: batches.queue,
    recover(): void {
      batches.queue.schedule();
      functions.recover();
    },
    async stop(end: CoreEnd = {}): Promise<void> {
      await batches.queue.stop();
      files.stop();
      await functions.stop(end);
    },
  };
}

/** Functions know model files by name only. Model files that run in containers are functions too, and register later. */
function createFunctionsAndModelFiles(
  { database, dataDirectory, clock, log, keychain, webhooks }: Foundation,
  { options = {} }: ModelDependencies,
) {
  const resourcesDirectory = options.resourcesDirectory ?? join(import.meta.dirname, '..', '..', 'resources');
  const runtimesDirectory = join(resourcesDirectory, 'runtimes');
  const repository = createModelFileRepository(database);
  const store = createModelFileStore(dataDirectory);
  const { addressSettings } = webhooks;
  const files = createModelFiles({ repository, store, runtimesDirectory, addressSettings });
  const functions = createFunctions({
    database,
    dataDirectory,
    resourcesDirectory,
    modelFiles: files,
    addressSettings,
    keychain,
    clock,
    log,
    nvidiaSmi: options.nvidiaSmi,
    engine: options.engine,
  });
  const { records, catalog, deployer, runtimes } = functions;
  const provider = createModelFileProvider({ files, repository, store, containers: runtimes.provider });
  catalog.register(() => [provider]);
  const modelFiles = createModelFileService({
    files,
    repository,
    store,
    records,
    catalog,
    deployer,
    runtimesDirectory,
    clock,
  });
  return { functions, files, modelFiles };
}

interface Callable {
  readonly functions: Functions;
  readonly models: ModelCaller;
}

function registerAutoannotation(
  { database, clock, queue, repositories }: Foundation,
  { annotations, frames }: ModelDependencies,
  { functions: { repository, nativeModels: native }, models }: Callable,
): void {
  const { tasks, jobs, media, labelRows: labels, users } = repositories;
  const runner = createAutoannotateRunner({
    database,
    annotations,
    frames,
    models,
    repository,
    clock,
    users,
    tasks,
    jobs,
    media,
    labels,
    native,
  });
  queue.register(autoannotateType, runner, (request) => !isNativeRun(request, native));
}

function createBatches(
  { database, clock, log, access, repositories }: Foundation,
  { annotations, frames, lists, predictionSets }: ModelDependencies,
  { functions: { nativeModels: native }, models }: Callable,
) {
  const { tasks, jobs, media, labelRows: labels, users } = repositories;
  const batches = createBatchRepository(database);
  const predictions = createBatchPredictions(predictionSets, batches, clock);
  const queue = createBatchQueue({
    batches,
    run: createBatchRunner({ database, batches, predictions, models, annotations, frames, tasks, media, labels }),
    finish: predictions.finish,
    takesPlace: (batch) => !native.isThere(batch.function_id),
    actorOf: (batch) => requester(users, batch),
    clock,
    log,
  });
  const targets = createBatchTargets({
    access,
    lists,
    annotations,
    frames,
    tasks,
    jobs,
    labels,
    media,
    predictions,
  });
  const service = createBatchService({
    database,
    batches,
    predictions,
    queue,
    targets,
    models,
    native,
    annotations,
    tasks,
    clock,
  });
  return { queue, service };
}
