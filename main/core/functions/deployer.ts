import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type Docker from 'dockerode';
import type { DeployCheck, DeployRequest } from '../../../preload/contract/schema/functions.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { findDemands, requireGrants, resolveVolumes, type Demand } from '../../functions/policy/demands.ts';
import { planResources } from '../../functions/policy/resource-plan.ts';
import { makeBaseImage } from '../../functions/providers/docker/base-image.ts';
import {
  buildDemands,
  buildNetworkGrant,
  scanBuild,
  type BuildScan,
} from '../../functions/providers/docker/build-scan.ts';
import { functionLabels } from '../../functions/providers/docker/container-options.ts';
import type { DockerFunctions } from '../../functions/providers/docker/docker-functions.ts';
import type { EngineFacts } from '../../functions/providers/docker/engine.ts';
import { findImage, importArchive, removeMadeImage } from '../../functions/providers/docker/images.ts';
import { prepareImage, type PreparedImage } from '../../functions/providers/docker/prepare-image.ts';
import { hasRuntime } from '../../functions/providers/docker/runtime-command.ts';
import { ModelProblem } from '../../functions/model-description.ts';
import type { ContainerKeeper } from './container-keeper.ts';
import type { DeployLogs, DeployLogWriter } from './deploy-log.ts';
import { planDeployment, type DeployPlan } from './deploy-plan.ts';
import { modelOf, sealSecrets, splitSecrets, type FunctionRecord } from './function-record.ts';
import type { FunctionRecords } from './function-records.ts';
import type { CardChoice, GpuKeeper } from './gpu-keeper.ts';

export interface DeployerDependencies {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly keeper: () => ContainerKeeper;
  readonly gpu: GpuKeeper;
  readonly logs: DeployLogs;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly instance: string;
  /** Handlers that came with a request are kept below it. */
  readonly handlersDirectory: string;
  readonly samplesDirectory: string;
  readonly runtimesDirectory: string;
}

export interface Deploying {
  readonly userId: number;
  readonly username: string;
}

interface Job {
  readonly plan: DeployPlan;
  readonly request: DeployRequest;
  readonly cards: CardChoice;
  readonly by: Deploying;
  readonly previous: FunctionRecord | undefined;
  readonly stamp: string;
  readonly signal: AbortSignal;
}

export type Deployer = ReturnType<typeof createDeployer>;

/**
 * Deploys functions. What can be refused is refused before anything happens; then the work goes on in the background,
 * and its record tells how far it is. A failed deployment leaves the record as it was, with a message, and no container.
 */
export function createDeployer(dependencies: DeployerDependencies) {
  const { records, containers, gpu, logs, secrets, clock, log, samplesDirectory } = dependencies;
  const running = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  async function scanOf(plan: DeployPlan, docker: Docker): Promise<BuildScan> {
    const hasImage = async (name: string) => isOwnBase(name) || (await findImage(docker, name)) !== null;
    return scanBuild(plan.configuration, plan.image, hasImage);
  }

  async function demandsOf(plan: DeployPlan, scan: BuildScan | null): Promise<Demand[]> {
    const handlerDirectory = plan.directory;
    const own = await findDemands({ configuration: plan.configuration, handlerDirectory });
    return scan && plan.way === 'build' ? [...own, ...buildDemands(scan)] : own;
  }

  /** Refuses what must not or cannot be deployed. */
  async function admit(plan: DeployPlan, request: DeployRequest): Promise<CardChoice> {
    const { configuration, archive, image, way } = plan;
    const { name, trigger } = configuration;
    if (running.has(name)) {
      throw conflict(`"${name}" is being deployed. Wait until that has ended, then deploy it again.`);
    }
    // Asked of the configuration first: what it may not do does not depend on the Engine.
    requireGrants(name, await demandsOf(plan, null), request.grants);
    await dependencies.keeper().attached();
    await containers.engine.use(async (docker) => {
      const scan = await scanOf(plan, docker);
      requireGrants(name, await demandsOf(plan, scan), request.grants);
      const missing = scan.findings.filter(
        ({ kind, key }) => kind === 'missing' && (way === 'build' || key.endsWith('baseImage')),
      );
      const [first] = archive === null && !request.grants.includes(buildNetworkGrant) ? missing : [];
      if (first && way !== 'image') throw missingImage(first.reason);
      if (way === 'image' && archive === null && (await findImage(docker, image)) === null) {
        throw missingImage(`the Engine has no image "${image}", which "${name}" runs`);
      }
    });
    const holder = records
      .list()
      .find(({ row }) => row.port !== null && row.port === trigger.port && row.name !== name);
    if (holder) {
      throw conflict(
        `Port ${trigger.port} belongs to the function "${holder.row.name}". Choose another one for "${name}".`,
      );
    }
    return gpu.choose({
      functionName: name,
      count: configuration.resources.gpuCount,
      devices: configuration.resources.gpuDevices,
      workers: trigger.workers ?? 1,
      perWorkerMiB:
        request.gpu_memory_mib ??
        configuration.resources.gpuMemoryMiB ??
        records.get(name)?.row.measured_gpu_memory_mib ??
        null,
    });
  }

  /** The record says `building` until the deployment has ended. */
  function announce({ configuration, document, way }: DeployPlan, by: Deploying): void {
    const { name, project } = configuration;
    if (records.get(name)) {
      records.note(name, { state: 'building', message: 'It is being deployed.' });
      return;
    }
    const now = clock();
    records.insert({
      name,
      provider: 'docker',
      project,
      document: JSON.stringify(splitSecrets(document).document),
      secrets: '',
      way,
      image: null,
      running_image: null,
      is_image_made: 0,
      has_runtime: 0,
      commands: null,
      directory: null,
      is_directory_own: 0,
      grants: '[]',
      state: 'building',
      message: 'It is being deployed.',
      warnings: '[]',
      container_id: null,
      port: null,
      cards: '[]',
      address: null,
      gpu_memory_mib: null,
      measured_gpu_memory_mib: null,
      idle_stop_seconds: null,
      owner_id: by.userId,
      created_date: now,
      updated_date: now,
    });
  }

  async function work(job: Job): Promise<void> {
    const { plan, previous } = job;
    const { name } = plan.configuration;
    const writer = await logs.open(name);
    const progress = { isOldGone: false, prepared: null as PreparedImage | null, directory: null as string | null };
    try {
      await carryOut(job, writer, progress);
      await clearPrevious(previous, job.plan.configuration.name);
      writer.write('Deployed.');
    } catch (error) {
      await fail(job, error, writer, progress);
    } finally {
      await writer.close();
    }
  }

  interface Progress {
    isOldGone: boolean;
    prepared: PreparedImage | null;
    directory: string | null;
  }

  async function carryOut(job: Job, writer: DeployLogWriter, progress: Progress): Promise<void> {
    const { plan, request, cards, by, previous, signal } = job;
    const { configuration } = plan;
    for (const warning of [...plan.warnings, ...cards.warnings]) writer.write(`Note: ${warning}`);
    const image = await containers.engine.use((docker) => importFirst(docker, plan, writer));
    await ownBaseImage(image, writer, signal);
    progress.directory = await keepFiles(job);
    const { facts } = await containers.engine.connect();
    const prepared = await containers.engine.use((docker) =>
      prepareImage(docker, {
        configuration,
        document: splitSecrets(plan.document).document,
        way: plan.way,
        image,
        handlerDirectory: progress.directory,
        hasConfigurationFile: plan.hasConfigurationFile,
        files: [],
        runtimesDirectory: dependencies.runtimesDirectory,
        labels: {
          [functionLabels.instance]: dependencies.instance,
          [functionLabels.function]: configuration.name,
        },
        stamp: job.stamp,
        allowNetwork: request.grants.includes(buildNetworkGrant),
        log: (line) => writer.write(line),
        signal,
      }),
    );
    progress.prepared = prepared;
    const resources = planResources(configuration, facts);
    for (const warning of resources.warnings) writer.write(`Note: ${warning}`);
    const details = await containers.engine.use((docker) => findImage(docker, prepared.name));
    const withRuntime = prepared.commands !== null || (details !== null && hasRuntime(details));
    signal.throwIfAborted();
    if (previous?.row.container_id) writer.write('The previous container is removed');
    progress.isOldGone = true;
    const container = await containers.run({
      configuration,
      imageName: prepared.name,
      commands: prepared.commands,
      hasRuntime: withRuntime,
      volumes: await resolveVolumes({ configuration, handlerDirectory: progress.directory }),
      plan: resources,
      cards: cards.cards,
      owner: by.username,
      previousPort: previous?.row.port ?? null,
      heldPorts: dependencies.keeper().heldPorts(configuration.name),
      log: (line) => writer.write(line),
      signal,
    });
    store(
      job,
      image,
      prepared,
      withRuntime,
      [...plan.warnings, ...cards.warnings, ...resources.warnings],
      container,
      progress,
    );
    await dependencies.keeper().measure(configuration.name);
  }

  function store(
    job: Job,
    image: string,
    prepared: PreparedImage,
    withRuntime: boolean,
    warnings: readonly string[],
    container: { readonly containerId: string; readonly port: number },
    progress: Progress,
  ): void {
    const { plan, request, cards, by } = job;
    const { document, env } = splitSecrets(plan.document);
    records.update(plan.configuration.name, {
      provider: 'docker',
      project: plan.configuration.project,
      document: JSON.stringify(document),
      secrets: sealSecrets(secrets, { env }),
      way: plan.way,
      image,
      running_image: prepared.name,
      is_image_made: prepared.isMade ? 1 : 0,
      has_runtime: withRuntime ? 1 : 0,
      commands: prepared.commands === null ? null : JSON.stringify(prepared.commands),
      directory: progress.directory,
      is_directory_own: progress.directory !== null && progress.directory !== plan.directory ? 1 : 0,
      grants: JSON.stringify(request.grants),
      state: 'ready',
      message: '',
      warnings: JSON.stringify(warnings),
      container_id: container.containerId,
      port: container.port,
      cards: JSON.stringify(Array.isArray(cards.cards) ? cards.cards : []),
      address: null,
      gpu_memory_mib: request.gpu_memory_mib ?? null,
      idle_stop_seconds: null,
      owner_id: by.userId,
    });
  }

  async function importFirst(docker: Docker, plan: DeployPlan, writer: DeployLogWriter): Promise<string> {
    if (plan.archive === null) return plan.image;
    writer.write(`Importing ${plan.archive}`);
    const names = await importArchive(docker, createReadStream(plan.archive));
    writer.write(`Imported ${names.join(', ')}`);
    const wanted = plan.image !== '' && (await findImage(docker, plan.image)) !== null;
    return wanted ? plan.image : (names[0] ?? plan.image);
  }

  /** Limner's own base images are made when they are needed first. */
  async function ownBaseImage(image: string, writer: DeployLogWriter, signal: AbortSignal): Promise<void> {
    const language = /^limner\/base-(node|python)(:latest)?$/.exec(image)?.[1];
    if (language === undefined) return;
    await containers.engine.use(async (docker) => {
      if ((await findImage(docker, image)) !== null) return;
      writer.write(`Making ${image} out of this computer's own ${language === 'node' ? 'Node.js' : 'Python'}`);
      await makeBaseImage(docker, { language: language === 'node' ? 'node' : 'python', signal });
    });
  }

  /** A handler that came with the request, or beside a folder, is kept, so that it can be deployed again. */
  async function keepFiles({ plan, stamp }: Job): Promise<string | null> {
    if (plan.files.length === 0) return plan.directory;
    const folder = join(dependencies.handlersDirectory, plan.configuration.name, stamp);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (plan.directory !== null) await cp(plan.directory, folder, { recursive: true });
    for (const { path, content } of plan.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  }

  /** What the deployment before has no use for any more. */
  async function clearPrevious(previous: FunctionRecord | undefined, name: string): Promise<void> {
    const current = records.get(name)?.row;
    if (!previous || !current) return;
    const { row } = previous;
    if (row.is_image_made === 1 && row.running_image !== null && row.running_image !== current.running_image) {
      await containers.engine.use((docker) => removeMadeImage(docker, row.running_image ?? ''));
    }
    if (row.is_directory_own === 1 && row.directory !== null && row.directory !== current.directory) {
      await rm(row.directory, { recursive: true, force: true });
    }
  }

  async function fail(job: Job, error: unknown, writer: DeployLogWriter, progress: Progress): Promise<void> {
    const { plan, previous, signal } = job;
    const { name } = plan.configuration;
    const isStop = signal.aborted;
    const reason = isStop ? 'It was interrupted.' : sentence(error);
    if (!isStop && !(error instanceof AppError)) log.error('A deployment failed', { function: name, error });
    for (const line of reason.split('\n')) writer.write(`Error: ${line}`);
    const made = progress.prepared;
    if (made?.isMade && made.name !== previous?.row.running_image) {
      await containers.engine.use((docker) => removeMadeImage(docker, made.name)).catch(() => undefined);
    }
    if (progress.directory !== null && progress.directory !== plan.directory) {
      await rm(progress.directory, { recursive: true, force: true });
    }
    const hadContainer = previous !== undefined && previous.row.container_id !== null;
    if (hadContainer && !progress.isOldGone) {
      const message = `The last deployment failed, and the one before still runs. ${reason}`;
      records.note(name, { state: previous.row.state, message });
      return;
    }
    const kept = previous?.row.running_image
      ? ' The record of the deployment before is kept and its container is gone: start it to have it back.'
      : '';
    records.note(name, { state: 'error', message: `The deployment failed. ${reason}${kept}`, container_id: null });
  }

  return {
    isRunning: (name: string) => running.has(name),
    /** @throws AppError for everything that can be known before; answers the record, which says `building` */
    async start(request: DeployRequest, by: Deploying): Promise<FunctionRecord> {
      const plan = await planDeployment(request, samplesDirectory);
      const { name } = plan.configuration;
      const cards = await admit(plan, request);
      const previous = records.get(name);
      const controller = new AbortController();
      const stamp = randomBytes(4).toString('hex');
      const job: Job = { plan, request, cards, by, previous, stamp, signal: controller.signal };
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(name, { controller, done: promise });
      announce(plan, by);
      const record = records.require(name);
      work(job)
        .catch((error: unknown) => log.error('A deployment ended badly', { function: name, error }))
        .finally(() => {
          running.delete(name);
          resolve();
        });
      return record;
    },
    /** What a deployment would do; asks the Engine where there is one. */
    async check(request: DeployRequest): Promise<DeployCheck> {
      const plan = await planDeployment(request, samplesDirectory);
      const model = modelOf(plan.configuration);
      const engine = await containers.engine
        .use(async (docker, facts) => inspectPlan(docker, facts, plan))
        .catch((error: unknown) => ({ problem: sentence(error) }));
      const scan = 'scan' in engine ? engine.scan : await scanBuild(plan.configuration, plan.image, async () => true);
      return {
        name: plan.configuration.name,
        title: plan.configuration.annotations['name'] || plan.configuration.name,
        kind: model instanceof ModelProblem ? null : model.kind,
        model_problem: model instanceof ModelProblem ? model.message : null,
        labels: model instanceof ModelProblem ? [] : [...model.labels],
        way: plan.way,
        image: plan.image,
        has_image: 'hasImage' in engine ? engine.hasImage : null,
        engine_problem: 'problem' in engine ? engine.problem : null,
        exists: records.get(plan.configuration.name) !== undefined,
        warnings: [...plan.warnings, ...('warnings' in engine ? engine.warnings : [])],
        demands: await demandsOf(plan, scan),
        directives: plan.way === 'build' ? [...scan.findings] : [],
      };
    },
    /** Waits until the deployment of a function has ended, well or not. */
    ended: async (name: string): Promise<void> => running.get(name)?.done,
    async stop(): Promise<void> {
      const all = [...running.values()];
      for (const { controller } of all) controller.abort();
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };

  async function inspectPlan(docker: Docker, facts: EngineFacts, plan: DeployPlan) {
    return {
      scan: await scanOf(plan, docker),
      hasImage: isOwnBase(plan.image) || (await findImage(docker, plan.image)) !== null,
      warnings: planResources(plan.configuration, facts).warnings,
    };
  }
}

/** Base images that Limner makes itself count as there. */
const isOwnBase = (name: string) => /^limner\/base-(node|python)(:latest)?$/.test(name);

function sentence(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.message;
  return `Something unexpected went wrong (${error instanceof Error ? error.message : String(error)}).`;
}

const conflict = (message: string) => new AppError('conflict', message, { detail: message });

function missingImage(reason: string): AppError {
  const message =
    `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. Import it from an archive (docker save on a computer that has it), or ` +
    'choose another image. Nothing was changed.';
  return new AppError('not-found', message, { detail: message });
}
