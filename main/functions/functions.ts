import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Store } from '../db/store.ts';
import { systemNvidiaSmi, type NvidiaSmi } from './gpu/nvidia-smi.ts';
import { createAddressRule } from './engines/address-rule.ts';
import type { Invoker } from './engines/invoke.ts';
import { createDockerFunctions } from './engines/docker/docker-functions.ts';
import { createEngine, type EngineEnvironment } from './engines/docker/engine.ts';
import { openNetworkGrant } from './engines/docker/reach.ts';
import { parseSshAddress, runOverSsh } from './engines/docker/ssh.ts';
import { createEngineDirectory, type EngineDirectory } from './engines/engine-directory.ts';
import { createFunctionEngines, joinRuntimes, type FunctionEngine } from './runtime/function-engines.ts';
import { createUrlProvider } from './engines/url/url-provider.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { AddressSettings } from '../platform/network/address-policy.ts';
import { openWorkbenchSettings } from '../platform/settings.ts';
import { createSecrets, type SafeStorage } from '../platform/secrets.ts';
import { createFunctionRuntimes } from './runtime/function-runtimes.ts';
import { createDashboards } from './catalog/dashboards.ts';
import { createEngineService } from './catalog/engine-service.ts';
import { createEnginesService } from './catalog/engines-service.ts';
import { createFunctionCatalog } from './catalog/function-catalog.ts';
import { createFunctionProjects } from './catalog/function-projects.ts';
import { createFunctionRemoval } from './catalog/function-removal.ts';
import { createAddressCheck } from './catalog/address-check.ts';
import { createChatService } from './catalog/chat-service.ts';
import { createSourcesService } from './catalog/sources-service.ts';
import { createFunctionService } from './catalog/function-service.ts';
import { createNamedModels } from './catalog/named-models.ts';
import { createUseService } from './catalog/use-service.ts';
import { createVersionService } from './catalog/version-service.ts';
import { createDeployLogs } from './deploy/deploy-log.ts';
import { createDeployer } from './deploy/deployer.ts';
import type { FunctionModelFiles } from './records/function-model-files.ts';
import { createFunctionRecords, type FunctionRecords } from './records/function-records.ts';
import { createFunctionRepository, localEngine } from './records/function-repository.ts';
import { createGpuScheduler } from './runtime/gpu-scheduler.ts';
import type { FunctionBudget } from './policy/resource-plan.ts';
import { createNativeFunctions } from './native/native-service.ts';
import { createCallNumbers, type CallNumbers } from './numbers/call-numbers.ts';
import { createMinuteRepository } from './numbers/minute-repository.ts';
import { createFunctionVersions } from './versions/function-versions.ts';
import { createVersionRepository } from './versions/version-repository.ts';

export interface FunctionsDependencies {
  readonly database: Store;
  readonly dataDirectory: string;
  /** Program folder with `runtimes/` and `functions/`. */
  readonly resourcesDirectory: string;
  readonly modelFiles: FunctionModelFiles;
  /** For addresses of chat endpoints. */
  readonly addressSettings: () => AddressSettings;
  readonly keychain: SafeStorage | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly nvidiaSmi: NvidiaSmi | undefined;
  /** Default: this process's environment. */
  readonly engine: EngineEnvironment | undefined;
}

export interface CoreEnd {
  /** Stops function containers; the next call starts them again. */
  readonly restsFunctions?: boolean;
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
 * Model functions: records, containers, deployment and the catalog of all functions. Connections are made on first use.
 * Containers of an earlier run are looked up some seconds after the start.
 */
export function createFunctions(dependencies: FunctionsDependencies) {
  const { database, dataDirectory, resourcesDirectory, modelFiles, clock, log } = dependencies;
  const samplesDirectory = join(resourcesDirectory, 'functions');
  const repository = createFunctionRepository(database);
  const secrets = createSecrets(join(dataDirectory, 'keys', 'functions.key'), dependencies.keychain);
  const instance = repository.setting('instance', () => randomBytes(4).toString('hex'));
  const records = createFunctionRecords({ repository, secrets, clock });
  const addresses = createAddressRule(repository, dependencies.addressSettings);
  const { free: invoker, checked: chat } = addresses;
  const numbers = createCallNumbers({ rows: createMinuteRepository(database), log });
  const { nvidiaSmi = systemNvidiaSmi, engine } = dependencies;
  const logs = createDeployLogs(join(dataDirectory, 'logs', 'functions'));
  const environment = engine ?? { env: process.env, platform: process.platform };
  const directory = createEngineDirectory({ rows: repository.engines, secrets, clock, env: environment.env });
  const machinery = { nvidiaSmi, environment, dataDirectory, instance, records };
  const engines = createEngines(machinery, { directory, invoker, numbers, log });
  const { containers, scheduler } = engines.of(localEngine);
  const runtimes = joinRuntimes(engines);
  const containersOf = (name: string) => engines.of(name).containers;
  const versions = createFunctionVersions({ rows: createVersionRepository(database), containersOf, secrets });
  const {
    service: native,
    models: nativeModels,
    provider,
  } = createNativeFunctions(database, {
    clock,
    onRemoved: numbers.forget,
  });
  const deployer = createDeployer({
    records,
    engines,
    hasEngine: directory.has,
    logs,
    versions,
    modelFiles,
    secrets,
    clock,
    log,
    instance,
    samplesDirectory,
    handlersDirectory: join(dataDirectory, 'data', 'functions'),
    runtimesDirectory: join(resourcesDirectory, 'runtimes'),
  });
  const dashboards = createDashboards({ repository, addresses, secrets, clock });
  const urls = createUrlProvider(endpointsOf(records), addresses);
  const catalog = createFunctionCatalog({ numbers, log });
  catalog.register(dashboards.providers);
  catalog.register(() => [provider]);
  catalog.register(() => [urls]);
  catalog.register(() => [runtimes.provider]);
  const models = createNamedModels({ records, native: nativeModels, modelFiles });
  const service = createFunctionService({
    addresses,
    models,
    records,
    engines,
    runtimes,
    deployer,
    secrets,
    clock,
    native: nativeModels,
    modelFiles,
  });
  const { checkAddress } = createAddressCheck({ models, modelFiles, addresses });
  let looking: NodeJS.Timeout | null = null;

  return {
    repository,
    records,
    catalog,
    deployer,
    dashboards,
    dashboardGrants: grantsOfDashboard(records, dataDirectory),
    projects: createFunctionProjects({ repository, records, clock }),
    service: {
      ...service,
      ...createChatService({ functions: service, invoker: chat }),
      checkAddress,
      ...createFunctionRemoval({
        models,
        records,
        engines,
        runtimes,
        deployer,
        logs,
        native: nativeModels,
        numbers,
        modelFiles,
        versions,
      }),
      ...createVersionService({ models, deployer, records, versions, modelFiles }),
      ...createUseService({ models, records, engines, logs, numbers, catalog }),
      ...createEngineService({ containers, runtimes, scheduler, samplesDirectory }),
      ...createEnginesService({ directory, engines, records, clock }),
      ...createSourcesService({ list: service.list, checkAddress, dashboards, clock }),
    },
    native,
    nativeModels,
    runtimes,
    /** Looks up containers of an earlier run, if there may be some. */
    recover(): void {
      const hasContainers = repository.list().some((row) => row.container_id !== null || row.state === 'building');
      if (!hasContainers) return;
      looking = setTimeout(() => {
        for (const { name, runtimes: own } of engines.all()) {
          own.attached().catch((error: unknown) => log.debug('Docker is not available', { engine: name, error }));
        }
      }, lookAfterMs);
      looking.unref();
    },
    /** Containers keep running without Limner unless `restsFunctions` is set. */
    async stop({ restsFunctions = false }: CoreEnd = {}): Promise<void> {
      if (looking) clearTimeout(looking);
      await deployer.stop();
      if (restsFunctions) await runtimes.restAll();
      await runtimes.close();
      engines.close();
      addresses.close();
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

function createEngines(
  machinery: MachineryInput,
  {
    directory,
    invoker,
    numbers,
    log,
  }: {
    readonly directory: EngineDirectory;
    readonly invoker: Invoker;
    readonly numbers: CallNumbers;
    readonly log: Logger;
  },
) {
  const { records } = machinery;
  return createFunctionEngines({
    records,
    create(name): FunctionEngine {
      const { containers, scheduler } =
        name === localEngine ? createMachinery(machinery) : createRemoteMachinery(name, directory, machinery);
      const dependencies = { records, containers, scheduler, invoker, numbers, log, owner: 'limner', engine: name };
      return { name, containers, scheduler, runtimes: createFunctionRuntimes(dependencies) };
    },
  });
}

interface MachineryInput extends Pick<FunctionsDependencies, 'dataDirectory'> {
  readonly environment: EngineEnvironment;
  readonly nvidiaSmi: NvidiaSmi;
  readonly instance: string;
  readonly records: FunctionRecords;
}

function createMachinery({ nvidiaSmi, environment, dataDirectory, instance, records }: MachineryInput) {
  const engine = createEngine({
    env: environment.env,
    platform: environment.platform,
    host: () => openWorkbenchSettings(dataDirectory).get('dockerHost'),
    budget: () => functionBudget(dataDirectory),
  });
  const linksDirectory = join(dataDirectory, 'run', 'functions');
  const containers = createDockerFunctions({ engine, instance, linksDirectory });
  const scheduler = createGpuScheduler({
    run: nvidiaSmi,
    records: () => recordsOn(records, localEngine),
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

const recordsOn = (records: FunctionRecords, name: string) => records.list().filter(({ row }) => row.engine === name);

/** Containers and GPUs of another computer. Its driver is asked over SSH; over TLS the GPUs are not known. */
function createRemoteMachinery(
  name: string,
  directory: EngineDirectory,
  { environment: { env, platform }, instance, records }: MachineryInput,
) {
  const engine = createEngine({ env, platform, remote: () => directory.address(name) });
  const containers = createDockerFunctions({ engine, instance, linksDirectory: null });
  const scheduler = createGpuScheduler({
    records: () => recordsOn(records, name),
    async run(args) {
      const address = parseSshAddress(directory.list().find((one) => one.name === name)?.address ?? '');
      if (address === null || !engine.isConnected()) throw new Error('The driver cannot be asked');
      return runOverSsh(address, env, ['nvidia-smi', ...args]);
    },
    processesOf: async ({ row }) =>
      row.container_id === null || !engine.isConnected()
        ? null
        : containers.processes(row.container_id).catch(() => null),
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
