import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type {
  DeployCheck,
  DeployRequest,
  EngineStatus,
  EnvironmentInspection,
  endpointWriteSchema,
  ModelFunction,
  modelPatchSchema,
  modelSampleSchema,
} from '../../../preload/contract/schema/functions.ts';
import type { ModelVersions, VersionChanges } from '../../../preload/contract/schema/function-versions.ts';
import type { ModelMetrics } from '../../../preload/contract/schema/model-metrics.ts';
import { findingSentence } from '../configuration/configuration-error.ts';
import { parseConfigurationText } from '../configuration/parse-configuration.ts';
import { ModelProblem } from '../configuration/model-description.ts';
import type { FunctionProvider, Invocation, InvocationAnswer } from '../engines/provider.ts';
import { inspectEnvironment, buildBaseImage, type BaseImageInput } from '../engines/docker/base-image.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { EngineUnavailable } from '../engines/docker/engine-problem.ts';
import { importArchive, listImages, removeMadeImage } from '../engines/docker/images.ts';
import { probeGpu } from '../engines/docker/probe-gpu.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { FunctionRuntimes } from '../runtime/function-runtimes.ts';
import type { Deployer } from '../deploy/deployer.ts';
import type { DeployLogs } from '../deploy/deploy-log.ts';
import { modelOf, presentRecord, sealSecrets, splitSecrets, type FunctionRecord } from '../records/function-record.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { CallNumbers } from '../numbers/call-numbers.ts';
import { presentNumbers } from '../numbers/present-numbers.ts';
import type { FunctionVersions } from '../versions/function-versions.ts';
import type { NativeModels } from '../native/native-service.ts';
import type { ModelFiles } from '../model-files/model-file-service.ts';
import type { GpuScheduler } from '../runtime/gpu-scheduler.ts';
import { newFunction } from '../records/function-repository.ts';

interface Dependencies {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly runtimes: FunctionRuntimes;
  readonly deployer: Deployer;
  readonly scheduler: GpuScheduler;
  readonly logs: DeployLogs;
  readonly versions: FunctionVersions;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly registry: Pick<FunctionProvider, 'invoke'>;
  readonly samplesDirectory: string;
  readonly numbers: Pick<CallNumbers, 'since' | 'forget'>;
  readonly native: Pick<NativeModels, 'list' | 'get' | 'remove' | 'isThere'>;
  readonly modelFiles: Pick<ModelFiles, 'list' | 'get' | 'remove' | 'isThere' | 'known' | 'folderInContainer'>;
}

const shownLogLines = 1000;
const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
const view = (actor: Actor) => requireAllowed(actor, 'function', 'view', noFacts);

function requestAgain(
  { row, configuration, document, grants }: FunctionRecord,
  from: Pick<DeployRequest, 'configuration_name' | 'way' | 'image' | 'base_image' | 'directory'> & {
    readonly grants?: readonly string[] | undefined;
  },
): DeployRequest {
  return {
    ...from,
    configuration: JSON.stringify(document),
    env: configuration.env.map(({ name, value }) => ({ name, value })),
    volumes: [],
    resource_limits: {},
    grants: [...(from.grants ?? grants)],
    ...(row.gpu_memory_mib === null ? {} : { gpu_memory_mib: row.gpu_memory_mib }),
  };
}

export function createFunctionService(dependencies: Dependencies) {
  const { containers, records, runtimes, deployer, scheduler, clock, secrets, modelFiles, native } = dependencies;
  const shown = (record: FunctionRecord): ModelFunction => {
    const model = modelFiles.known(presentRecord(record, scheduler.waiting(record.row.name)));
    const problem = record.row.provider === 'docker' && model.state === 'ready' ? containers.engine.lost() : null;
    return problem === null ? model : { ...model, state: 'unhealthy', message: problem.message };
  };
  const present = (actor: Actor, name: string): ModelFunction =>
    modelFiles.get(name) ?? native.get(actor, name) ?? shown(records.require(name));
  const requireContainer = (name: string) => containerOf(dependencies, name);

  return {
    ...createEngineService(dependencies),
    ...createUseService(dependencies),
    ...createVersionService(dependencies),
    ...createRemoval(dependencies),
    list(actor: Actor): ModelFunction[] {
      view(actor);
      const all = [...records.list().map(shown), ...modelFiles.list(), ...native.list(actor)];
      return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    get(actor: Actor, name: string): ModelFunction {
      view(actor);
      return present(actor, name);
    },
    check(actor: Actor, request: DeployRequest): Promise<DeployCheck> {
      manage(actor);
      return deployer.check(request);
    },
    async deploy(actor: Actor, request: DeployRequest): Promise<ModelFunction> {
      manage(actor);
      return presentRecord(await deployer.start(request, actor));
    },
    /** Resolves when the function's deployment has ended, also after a failure. */
    deployed: (name: string): Promise<void> => deployer.ended(name),
    async cancelDeployment(actor: Actor, name: string): Promise<void> {
      manage(actor);
      present(actor, name);
      if (!(await deployer.cancel(name)))
        throw conflict(`"${name}" is not being deployed, so there is nothing to cancel.`);
    },
    /** Deploys a function again from its source; its folder is read again. */
    async redeploy(actor: Actor, name: string, grants?: readonly string[]): Promise<ModelFunction> {
      manage(actor);
      const record = requireContainer(name);
      const { way, image, directory: own } = record.row;
      const directory = modelFiles.folderInContainer(name) ?? own;
      const request = requestAgain(record, {
        configuration_name: `the record of ${name}`,
        ...(way === null ? {} : { way }),
        ...(image === null ? {} : way === 'image' ? { image } : { base_image: image }),
        ...(directory === null ? {} : { directory }),
        grants,
      });
      return shown(await deployer.start(request, actor));
    },
    async update(actor: Actor, name: string, patch: z.output<typeof modelPatchSchema>): Promise<ModelFunction> {
      manage(actor);
      if (modelNamed(dependencies, name).kind !== 'record') requireContainer(name);
      await deployer.requireIdle(name);
      const { gpu_memory_mib: gpuMemory, idle_stop_seconds: idle, state } = patch;
      if (gpuMemory !== undefined) records.note(name, { gpu_memory_mib: gpuMemory });
      if (idle !== undefined) {
        records.note(name, { idle_stop_seconds: idle ?? 0 });
        runtimes.of(name).tellRest();
      }
      if (state !== undefined) requireContainer(name);
      if (state === 'stopped') await runtimes.stop(name);
      if (state === 'ready') await runtimes.start(name);
      return present(actor, name);
    },
    addEndpoint(actor: Actor, body: z.output<typeof endpointWriteSchema>): ModelFunction {
      manage(actor);
      const { configuration, document, warnings } = parseConfigurationText(body.configuration);
      const { name, project } = configuration;
      if (records.get(name) || modelFiles.isThere(name))
        throw conflict(`A function named "${name}" already exists. Delete it first, or choose another name.`);
      const model = modelOf(configuration);
      if (model instanceof ModelProblem) throw invalidField('configuration', model.message);
      const split = splitSecrets(document);
      records.insert({
        ...newFunction(name, project, clock()),
        provider: 'url',
        document: JSON.stringify(split.document),
        secrets: sealSecrets(secrets, { env: split.env, headers: body.headers }),
        state: 'ready',
        warnings: JSON.stringify(warnings.map(findingSentence)),
        address: body.url,
        owner_id: actor.userId,
      });
      return present(actor, name);
    },
  };
}

function createRemoval(dependencies: Dependencies) {
  const { records, containers, runtimes, deployer, logs, native, numbers, modelFiles, versions } = dependencies;
  return {
    /** Deletes the record, the container and the artifacts that Limner created. Other images stay. */
    async remove(actor: Actor, name: string): Promise<void> {
      manage(actor);
      const model = modelNamed(dependencies, name);
      if (model.kind === 'native') return native.remove(actor, name);
      if (model.kind === 'model-file') {
        await modelFiles.remove(name);
        numbers.forget(name);
        return;
      }
      const { row } = model.record;
      await deployer.requireIdle(name);
      if (row.provider === 'docker' && (row.container_id !== null || row.is_image_made === 1)) {
        await runtimes.of(name).remove();
        if (row.is_image_made === 1 && row.running_image !== null) {
          await containers.engine.use((docker) => removeMadeImage(docker, row.running_image ?? ''));
        }
      }
      if (row.provider === 'docker') await versions.removeAll(name);
      records.remove(name);
      numbers.forget(name);
      if (row.is_directory_own === 1 && row.directory !== null) {
        await rm(row.directory, { recursive: true, force: true });
      }
      runtimes.forget(name);
      // Also deletes the decoder.
      await modelFiles.remove(name);
      await logs.remove(name);
    },
  };
}

interface ModelSources {
  readonly records: FunctionRecords;
  readonly native: Pick<NativeModels, 'isThere'>;
  readonly modelFiles: Pick<ModelFiles, 'isThere'>;
}

/** A model by name: a function record (container or URL), a model file, or a native function. */
type NamedModel =
  | { readonly kind: 'record'; readonly record: FunctionRecord }
  | { readonly kind: 'model-file' }
  | { readonly kind: 'native' };

/** @throws AppError 404 if no model has the name */
function modelNamed({ records, native, modelFiles }: ModelSources, name: string): NamedModel {
  if (native.isThere(name)) return { kind: 'native' };
  if (modelFiles.isThere(name)) return { kind: 'model-file' };
  return { kind: 'record', record: records.require(name) };
}

/** @throws AppError for functions that run elsewhere, because they cannot be started or stopped */
function containerOf(sources: ModelSources, name: string): FunctionRecord {
  const model = modelNamed(sources, name);
  if (model.kind === 'native') throw conflict(`"${name}" runs in its agents. Start or stop these instead.`);
  if (model.kind === 'model-file') throw conflict(`"${name}" runs in Limner itself and starts when it is called.`);
  const { record } = model;
  if (record.row.provider === 'docker') return record;
  throw conflict(`"${name}" runs at ${record.row.address ?? 'an address'}, not on this computer.`);
}

function createVersionService(dependencies: Dependencies) {
  const { deployer, records, versions, modelFiles } = dependencies;
  /** Waits for the version record, which is written shortly after the function is ready. */
  const whenKept = async (name: string): Promise<void> => {
    if (records.get(name)?.row.state !== 'building') await deployer.ended(name);
  };
  return {
    /** Recorded versions, newest first; empty for functions that run elsewhere or in Limner itself. */
    async versions(actor: Actor, name: string): Promise<ModelVersions> {
      manage(actor);
      await whenKept(name);
      const model = modelNamed(dependencies, name);
      return versions.list(name, model.kind === 'record' ? model.record.row.version : 1);
    },
    async versionChanges(actor: Actor, name: string, version: number, since?: number): Promise<VersionChanges> {
      manage(actor);
      await whenKept(name);
      modelNamed(dependencies, name);
      return versions.changes(name, version, since);
    },
    /** Replaces the current version by an earlier one without building or reading anything again. */
    async rollBack(actor: Actor, name: string, version: number): Promise<ModelFunction> {
      manage(actor);
      const { row } = containerOf(dependencies, name);
      if (row.version === version && row.state !== 'error') {
        throw conflict(`Version ${version} of "${name}" is the current version.`);
      }
      const kept = await versions.find(name, version);
      const configuration_name = `version ${version} of ${name}`;
      const request = requestAgain(kept.record, { configuration_name, way: 'image', image: kept.image });
      return modelFiles.known(presentRecord(await deployer.start(request, actor, kept)));
    },
  };
}

function createUseService(dependencies: Dependencies) {
  const { records, containers, logs, numbers, registry } = dependencies;
  return {
    /** Forwards a call unchanged, for tests of a function. */
    invoke(actor: Actor, name: string, invocation: Invocation): Promise<InvocationAnswer> {
      manage(actor);
      return registry.invoke(name, invocation);
    },
    numbers(actor: Actor, name: string, { hours }: { readonly hours: number }): ModelMetrics {
      manage(actor);
      modelNamed(dependencies, name);
      return presentNumbers(name, hours, numbers.since(name, hours));
    },
    /** Log of the last deployment and last lines of the container. */
    async log(actor: Actor, name: string, tail = shownLogLines): Promise<string> {
      manage(actor);
      const model = modelNamed(dependencies, name);
      if (model.kind !== 'record') return '';
      const { row } = model.record;
      const deployment = await logs.read(name);
      const container =
        row.container_id === null ? '' : await containers.readLog(row.container_id, tail).catch(() => '');
      return deployment + container;
    },
    async *followLog(actor: Actor, name: string, signal: AbortSignal): AsyncGenerator<string> {
      manage(actor);
      if (modelNamed(dependencies, name).kind !== 'record') return;
      yield* logs.follow(name, signal);
      const id = records.get(name)?.row.container_id;
      if (id && !signal.aborted) yield* containers.followLog(id, shownLogLines, signal);
    },
  };
}

type Sample = z.output<typeof modelSampleSchema>;

function createEngineService({ containers, runtimes, scheduler, samplesDirectory }: Dependencies) {
  return {
    async engineStatus(actor: Actor): Promise<EngineStatus> {
      view(actor);
      const cards = await scheduler.status();
      const place = () => containers.engine.place();
      try {
        await runtimes.attached();
        const { facts } = await containers.engine.connect();
        const { version, cpuCores: cpu_cores, memoryBytes: memory_bytes } = facts;
        return { state: 'connected', message: '', socket: place(), version, cpu_cores, memory_bytes, gpus: cards };
      } catch (error) {
        const problem = error instanceof EngineUnavailable ? error : null;
        const message = error instanceof Error ? error.message : String(error);
        const state = problem?.kind ?? 'failed';
        return { state, message, socket: place(), version: null, cpu_cores: null, memory_bytes: null, gpus: cards };
      }
    },
    probeGpu(actor: Actor, image?: string) {
      manage(actor);
      return containers.engine.use((docker, facts) => probeGpu(docker, facts, image));
    },
    images(actor: Actor) {
      manage(actor);
      return containers.engine.use((docker) => listImages(docker));
    },
    async importFile(actor: Actor, path: string): Promise<{ images: string[] }> {
      manage(actor);
      const facts = isAbsolute(path) ? await stat(path).catch(() => null) : null;
      if (!facts?.isFile()) throw invalidField('path', `There is no file ${path} on this computer.`);
      return this.importStream(actor, createReadStream(path));
    },
    async importStream(actor: Actor, archive: Readable): Promise<{ images: string[] }> {
      manage(actor);
      return { images: await containers.engine.use((docker) => importArchive(docker, archive)) };
    },
    async buildBaseImage(actor: Actor, input: BaseImageInput): Promise<{ image: string }> {
      manage(actor);
      return { image: await containers.engine.use((docker) => buildBaseImage(docker, input)) };
    },
    async inspectEnvironment(actor: Actor, path: string): Promise<EnvironmentInspection> {
      manage(actor);
      return inspectEnvironment(path);
    },
    async samples(actor: Actor): Promise<Sample[]> {
      view(actor);
      const names = await readdir(samplesDirectory).catch((): string[] => []);
      const samples = await Promise.all(names.toSorted().map((name) => readSample(samplesDirectory, name)));
      return samples.filter((sample) => sample !== null);
    },
  };
}

async function readSample(directory: string, id: string): Promise<Sample | null> {
  const text = await readFile(join(directory, id, 'function.yaml'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { configuration } = parseConfigurationText(text);
  const model = modelOf(configuration);
  if (model instanceof ModelProblem) return null;
  const language = configuration.runtime.language === 'python' ? 'python' : 'node';
  return { id, title: model.name, kind: model.kind, description: model.description, language };
}

const conflict = (message: string) => new AppError('conflict', message);
