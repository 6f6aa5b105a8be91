import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Store } from '../db/store.ts';
import { systemNvidiaSmi, type NvidiaSmi } from './gpu/nvidia-smi.ts';
import { createInvoker } from './engines/invoke.ts';
import { createDockerFunctions } from './engines/docker/docker-functions.ts';
import { createEngine, type EngineEnvironment } from './engines/docker/engine.ts';
import { openNetworkGrant } from './engines/docker/reach.ts';
import { createUrlProvider } from './engines/url/url-provider.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import { openWorkbenchSettings } from '../platform/settings.ts';
import { createSecrets, type SafeStorage } from '../platform/secrets.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { JobRepository } from '../work/jobs/job-repository.ts';
import type { LabelRepository } from '../work/labels/label-repository.ts';
import type { RequestQueue } from '../background-requests/request-queue.ts';
import type { RequestRepository, RequestRow } from '../background-requests/request-repository.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import type { FrameService } from '../work/tasks/frame-service.ts';
import type { MediaRepository } from '../work/tasks/media-repository.ts';
import type { TaskRepository } from '../work/tasks/task-repository.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { WorkAccess } from '../work/work-access.ts';
import { createEvaluationServices, type EvaluationServicesDependencies } from '../evaluation/evaluation-services.ts';
import { createFunctionRuntimes } from './runtime/function-runtimes.ts';
import { createDashboards } from './catalog/dashboards.ts';
import { createDeployLogs } from './deploy/deploy-log.ts';
import { createDeployer } from './deploy/deployer.ts';
import { createFunctionProjects } from './catalog/function-projects.ts';
import { createFunctionRecords, type FunctionRecords } from './records/function-records.ts';
import { createFunctionRepository } from './records/function-repository.ts';
import { createFunctionService } from './catalog/function-service.ts';
import { createGpuScheduler } from './runtime/gpu-scheduler.ts';
import type { BatchLists } from './batches/batch-parts.ts';
import { createBatches } from './batches/batch-service.ts';
import { createAutoannotateRunner, isNativeRun } from './calls/autoannotate-runner.ts';
import { createLambdaCallService } from './calls/lambda-call-service.ts';
import { autoannotateType } from './calls/run-parameters.ts';
import { createLambdaRequestService } from './calls/lambda-request-service.ts';
import { createModelCaller } from './calls/model-caller.ts';
import type { FunctionBudget } from './policy/resource-plan.ts';
import { createTrackerStates } from './calls/tracker-call.ts';
import { createFunctionRegistry } from './catalog/registry.ts';
import { createNativeFunctions } from './native/native-service.ts';
import { createCallNumbers } from './numbers/call-numbers.ts';
import { createMinuteRepository } from './numbers/minute-repository.ts';
import { createFunctionVersions } from './versions/function-versions.ts';
import { createVersionRepository } from './versions/version-repository.ts';
import { createModelFileRepository } from './model-files/records/model-file-repository.ts';
import type { StartRuntime } from './model-files/runtime/runtime-process.ts';
import { createModelFiles } from './model-files/model-file-service.ts';
import { createModelFileStore } from './model-files/model-file-store.ts';

export interface FunctionOptions {
  /** Program folder with `runtimes/` and `functions/`. */
  readonly resourcesDirectory?: string;
  readonly nvidiaSmi?: NvidiaSmi;
  /** Starts model processes if this process is not plain Node. */
  readonly startRuntime?: StartRuntime | undefined;
  /** For tests; defaults to this process's environment. */
  readonly engine?: EngineEnvironment;
}

export interface CoreEnd {
  /** Stops function containers; the next call starts them again. */
  readonly restsFunctions?: boolean;
}

export interface FunctionsDependencies extends EvaluationServicesDependencies {
  readonly database: Store;
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly annotations: AnnotationService;
  readonly frames: FrameService;
  readonly lists: BatchLists;
  readonly media: MediaRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly labelRows: LabelRepository;
  readonly users: UserRepository;
  readonly access: WorkAccess;
  readonly keychain?: SafeStorage | undefined;
  readonly options: FunctionOptions | undefined;
}

export type Functions = ReturnType<typeof createFunctions>;

/** Delayed after the start, so that it does not slow the start down. */
const lookAfterMs = 3000;

/** Read from the current settings, which can change while functions run. */
function functionBudget(dataDirectory: string): FunctionBudget {
  const { functionCpuCores: cpuCores, functionMemoryMib: mib } = openWorkbenchSettings(dataDirectory).all();
  return { cpuCores, memoryBytes: mib === null ? null : mib * 2 ** 20 };
}

/**
 * Model functions: records, containers and models. Connections are made on first use. Containers of an earlier run are
 * looked up some seconds after the start.
 */
export function createFunctions(dependencies: FunctionsDependencies) {
  const { database, dataDirectory, clock, log, options = {} } = dependencies;
  const resources = options.resourcesDirectory ?? join(import.meta.dirname, '..', '..', 'resources');
  const samplesDirectory = join(resources, 'functions');
  const repository = createFunctionRepository(database);
  const secrets = createSecrets(join(dataDirectory, 'keys', 'functions.key'), dependencies.keychain);
  const instance = repository.setting('instance', () => randomBytes(4).toString('hex'));
  const records = createFunctionRecords({ repository, secrets, clock });
  const invoker = createInvoker();
  const numbers = createCallNumbers({ rows: createMinuteRepository(database), log });
  const { containers, scheduler } = createMachinery({ options, dataDirectory, instance, records });
  const logs = createDeployLogs(join(dataDirectory, 'logs', 'functions'));
  const shared = {
    repository,
    records,
    numbers,
    secrets,
    invoker,
    containers,
    scheduler,
    logs,
    clock,
    log,
    samplesDirectory,
  };
  const versions = createFunctionVersions({ rows: createVersionRepository(database), containers, secrets });
  const runtimes = createFunctionRuntimes({ ...shared, owner: 'limner' });
  const modelFiles = createModelFiles({
    repository: createModelFileRepository(database),
    store: createModelFileStore(dataDirectory),
    clock,
    isTaken: (name) => records.get(name) !== undefined || modelFiles.isThere(name),
    // An unreachable dashboard counts as not having the function.
    isFunction: async (name) => (await registry.find(name).catch(() => null)) !== null,
    functions: { ...runtimes.provider, deploy: (request, actor) => deployer.start(request, actor) },
    runtimesDirectory: join(resources, 'runtimes'),
    start: options.startRuntime,
  });
  const agents = createNativeFunctions(database, { clock, onRemoved: numbers.forget });
  const native = agents.models;
  const deployer = createDeployer({
    ...shared,
    isTaken: modelFiles.isThere,
    folderOfModelFile: modelFiles.folderInContainer,
    hasDecoder: modelFiles.decoders.has,
    versions,
    runtimes,
    instance,
    handlersDirectory: join(dataDirectory, 'data', 'functions'),
    runtimesDirectory: join(resources, 'runtimes'),
  });
  const urls = createUrlProvider(endpointsOf(records), invoker);
  const dashboards = createDashboards(shared);
  const registry = createFunctionRegistry({
    // The modelFiles provider comes first, because a model file in a container is called by the same name as its function.
    *providers() {
      yield* [modelFiles.provider, runtimes.provider, urls, agents.provider];
      yield* dashboards.providers();
    },
    numbers,
    log,
  });
  const models = createModelCaller(registry);
  const states = createTrackerStates(
    Buffer.from(
      repository.setting('tracker-key', () => randomBytes(32).toString('hex')),
      'hex',
    ),
  );
  const { decoders } = modelFiles;
  const lambda = { ...dependencies, labels: dependencies.labelRows, registry, models, states, decoders, native };
  const evaluating = createEvaluationServices(dependencies);
  const batches = createBatches({ ...lambda, repository, predictions: evaluating.predictions });
  let looking: NodeJS.Timeout | null = null;

  return {
    repository,
    records,
    registry,
    models,
    states,
    dashboards,
    dashboardGrants: grantsOfDashboard(records, dataDirectory),
    projects: createFunctionProjects(shared),
    service: createFunctionService({ ...shared, versions, runtimes, deployer, registry, modelFiles, native }),
    native: agents.service,
    modelFiles: modelFiles.service,
    calls: createLambdaCallService(lambda),
    runners: { ...evaluating.runners, [autoannotateType]: createAutoannotateRunner({ ...lambda, repository }) },
    /** True if the background request runs on this computer. */
    takesPlace: (request: RequestRow): boolean => !isNativeRun(request, native),
    /** Services that need the request queue: automatic annotation of tasks, prediction sets and evaluations. */
    services: (parts: {
      readonly requests: RequestService;
      readonly requestRows: RequestRepository;
      readonly queue: RequestQueue;
    }) => ({
      requests: createLambdaRequestService({ ...lambda, ...parts }),
      ...evaluating.services(parts.requests),
    }),
    runtimes,
    batches: batches.service,
    batchQueue: batches.queue,
    /** Looks up containers of an earlier run, if there may be some. */
    recover(): void {
      batches.queue.schedule();
      const hasContainers = repository.list().some((row) => row.container_id !== null || row.state === 'building');
      if (!hasContainers) return;
      looking = setTimeout(() => {
        runtimes.attached().catch((error: unknown) => log.debug('Docker is not available', { error }));
      }, lookAfterMs);
      looking.unref();
    },
    /** Containers keep running without Limner unless `restsFunctions` is set. */
    async stop({ restsFunctions = false }: CoreEnd = {}): Promise<void> {
      if (looking) clearTimeout(looking);
      await batches.queue.stop();
      modelFiles.stop();
      await deployer.stop();
      if (restsFunctions) await runtimes.restAll();
      await runtimes.close();
      containers.close();
      invoker.close();
      numbers.stop();
    },
  };
}

/**
 * Permissions for functions deployed through the dashboard API: those granted before plus those that the settings
 * allow.
 */
const grantsOfDashboard =
  (records: FunctionRecords, dataDirectory: string) =>
  (name: string): string[] => [
    ...(records.get(name)?.grants ?? []),
    ...(openWorkbenchSettings(dataDirectory).get('dashboardOwnServers') ? [openNetworkGrant] : []),
  ];

function createMachinery({
  options,
  dataDirectory,
  instance,
  records,
}: {
  readonly options: FunctionOptions;
  readonly dataDirectory: string;
  readonly instance: string;
  readonly records: FunctionRecords;
}) {
  const engine = createEngine({
    ...(options.engine ?? { env: process.env, platform: process.platform }),
    host: () => openWorkbenchSettings(dataDirectory).get('dockerHost'),
    budget: () => functionBudget(dataDirectory),
  });
  const linksDirectory = join(dataDirectory, 'run', 'functions');
  const containers = createDockerFunctions({ engine, instance, linksDirectory });
  const scheduler = createGpuScheduler({
    run: options.nvidiaSmi ?? systemNvidiaSmi,
    records: () => records.list(),
    cardBudgetMiB: () => openWorkbenchSettings(dataDirectory).get('functionCardMib'),
    processesOf: async ({ row }) => {
      if (row.container_id === null || !engine.isConnected()) return null;
      const { facts } = await engine.connect();
      // Process ids of containers in a virtual machine are not valid on this system.
      return facts.sharesKernel ? containers.processes(row.container_id).catch(() => null) : null;
    },
  });
  return { containers, scheduler };
}

const endpointsOf = (records: FunctionRecords) => ({
  list: () => records.list().flatMap((record) => endpointOf(record) ?? []),
  find(name: string) {
    const record = records.get(name);
    return record ? endpointOf(record) : null;
  },
});

function endpointOf({ row, configuration, headers }: ReturnType<ReturnType<typeof createFunctionRecords>['require']>) {
  return row.provider === 'url' && row.address !== null ? { configuration, url: row.address, headers } : null;
}
