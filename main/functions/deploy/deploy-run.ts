import { createReadStream } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type Docker from 'dockerode';
import type { DeployRequest } from '../../../preload/contract/schema/functions.ts';
import type { Actor } from '../../users/access/actor.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { requireGrants, resolveVolumes } from '../policy/permissions.ts';
import { planResources } from '../policy/resource-plan.ts';
import { buildBaseImage } from '../engines/docker/base-image.ts';
import { buildNetworkGrant } from '../engines/docker/build-scan.ts';
import { functionLabels } from '../engines/docker/container-options.ts';
import type { RunningContainer } from '../engines/docker/docker-functions.ts';
import type { EngineFacts } from '../engines/docker/engine.ts';
import type { FunctionEngine } from '../runtime/function-engines.ts';
import { findImage, importArchive, removeMadeImage } from '../engines/docker/images.ts';
import { prepareImage, type PreparedImage } from '../engines/docker/prepare-image.ts';
import { reachPermissions, reachOf } from '../engines/docker/reach.ts';
import { hasRuntime } from '../engines/docker/runtime-command.ts';
import { deploySentence, ownBaseLanguage } from './deploy-check.ts';
import type { DeployLogs, DeployLogWriter } from './deploy-log.ts';
import type { DeployPlan } from './deploy-plan.ts';
import { sealSecrets, splitSecrets, type FunctionRecord } from '../records/function-record.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { FunctionVersions, KeptVersion } from '../versions/function-versions.ts';
import type { GpuNeed } from '../gpu/gpu-budget.ts';
import type { GpuChoice } from '../runtime/gpu-queue.ts';
import type { FunctionChange } from '../records/function-repository.ts';
import { defined } from '../../platform/defined.ts';

export interface DeployRunDependencies extends FunctionEngine {
  readonly records: FunctionRecords;
  readonly logs: DeployLogs;
  readonly versions: FunctionVersions;
  readonly secrets: SecretBox;
  readonly log: Logger;
  readonly instance: string;
  /** Parent folder of handlers that were part of a request. */
  readonly handlersDirectory: string;
  readonly runtimesDirectory: string;
}

export type Deploying = Pick<Actor, 'userId' | 'username'>;

export interface Deployment {
  readonly plan: DeployPlan;
  readonly request: DeployRequest;
  readonly need: GpuNeed;
  readonly by: Deploying;
  readonly previous: FunctionRecord | undefined;
  /** The version to restore; null for a new one. */
  readonly kept: KeptVersion | null;
  /** Distinguishes the artifacts of this deployment from earlier ones. */
  readonly stamp: string;
  readonly signal: AbortSignal;
}

interface Progress {
  isOldStopped: boolean;
  prepared: PreparedImage | null;
  directory: string | null;
}

interface Work extends DeployRunDependencies, Deployment {
  readonly writer: DeployLogWriter;
  readonly progress: Progress;
}

/** Runs a deployment. Its outcome is stored in the function's record and log; failures do not throw. */
export async function runDeployment(dependencies: DeployRunDependencies, job: Deployment): Promise<void> {
  const { name } = job.plan.configuration;
  const { runtimes, log, logs, records, versions } = dependencies;
  const runtime = runtimes.of(name);
  const writer = logs.open(name);
  const progress: Progress = { isOldStopped: false, prepared: null, directory: null };
  const work: Work = { ...dependencies, ...job, writer, progress };
  const attempt = async (): Promise<boolean> => {
    try {
      await carryOut(work);
      return true;
    } catch (error) {
      await fail(work, error);
      return false;
    }
  };
  try {
    const isRunning = job.previous?.row.state === 'ready' && job.previous.row.container_id !== null;
    if (!(await runtime.deploy(attempt, isRunning ? job.previous : null))) return;
    await runtime.measure();
    await keepVersion(work).catch((error: unknown) => {
      log.warn('A version of a function could not be saved', { function: name, error });
    });
    // Removes artifacts that only earlier deployments used.
    await versions.prune(name, records.require(name).row.version).catch((error: unknown) => {
      log.warn('Artifacts of an earlier deployment could not be deleted', { function: name, error });
    });
    writer.write('Deployed.');
  } finally {
    await writer.close();
  }
}

async function carryOut(work: Work): Promise<void> {
  const { containers, runtimes, records, writer, progress, plan, request, by, previous, signal } = work;
  const { configuration } = plan;
  for (const warning of plan.warnings) writer.write(`Note: ${warning}`);
  const made = work.kept === null ? await makeNew(work) : hadBack(work.kept);
  const { image, prepared } = made;
  progress.directory = made.directory;
  progress.prepared = prepared;
  const { facts } = await containers.engine.connect();
  const resources = planResources(configuration, facts);
  for (const warning of resources.warnings) writer.write(`Note: ${warning}`);
  const details = await containers.engine.use((docker) => findImage(docker, prepared.name));
  const withRuntime = prepared.commands !== null || (details !== null && hasRuntime(details));
  requireGrants(configuration.name, reachPermissions(configuration, withRuntime, facts), request.grants);
  signal.throwIfAborted();
  const { cards, isBeside } = await chooseCards(work, reachOf(configuration, withRuntime, facts) === 'link');
  for (const warning of cards.warnings) writer.write(`Note: ${warning}`);
  const endPrevious = async () => {
    if (progress.isOldStopped) return;
    progress.isOldStopped = true;
    await runtimes.of(configuration.name).handOver();
  };
  if (previous?.row.container_id && !isBeside) {
    writer.write('The previous container is stopped and kept until the new one is ready');
    await endPrevious();
  }
  const container = await containers.run({
    configuration,
    imageName: prepared.name,
    commands: prepared.commands,
    hasRuntime: withRuntime,
    volumes: await resolveVolumes({ configuration, handlerDirectory: progress.directory }),
    plan: resources,
    cards: cards.cards,
    ...defined({ endPrevious: isBeside ? endPrevious : undefined }),
    owner: by.username,
    previousPort: previous?.row.port ?? null,
    heldPorts: records.heldPorts(configuration.name),
    log: (line) => writer.write(line),
    signal,
  });
  const warnings = [...plan.warnings, ...cards.warnings, ...resources.warnings];
  store(work, { image, prepared, withRuntime, warnings, container, cards });
}

interface Made {
  readonly image: string;
  readonly prepared: PreparedImage;
  readonly directory: string | null;
}

async function makeNew(work: Work): Promise<Made> {
  const { containers, plan, progress, writer } = work;
  const image = await containers.engine.use((docker) => importFirst(docker, plan, writer));
  await ownBaseImage(work, image);
  progress.directory = await keepFiles(work);
  return { image, prepared: await makeImage(work, image), directory: progress.directory };
}

/** A restored version reuses the image and the folder of its first deployment. */
function hadBack({ image, record: { row, commands } }: KeptVersion): Made {
  const prepared = { name: image, commands, isMade: row.is_image_made === 1 };
  return { image: row.image ?? image, prepared, directory: row.directory };
}

/**
 * The previous version serves calls until the new one is ready, if both can run side by side. It is stopped first if it
 * has a Docker port or if the GPUs cannot hold both.
 */
async function chooseCards(
  { runtimes, need, previous, records, scheduler, signal, writer }: Work,
  hasLink: boolean,
): Promise<{ readonly cards: GpuChoice; readonly isBeside: boolean }> {
  const name = need.functionName;
  const isRunning = previous?.row.state === 'ready' && previous.row.container_id !== null;
  const canBeBeside = hasLink && isRunning && previous.row.has_runtime === 1;
  if (need.count === 0) return { cards: { cards: null, warnings: [] }, isBeside: canBeBeside };
  const beside = canBeBeside ? await scheduler.placeBeside(need) : null;
  if (beside !== null) return { cards: beside, isBeside: true };
  let told = '';
  const onWait = (words: string) => {
    if (words === told) return;
    told = words;
    writer.write(words);
    records.note(name, { message: words });
  };
  return { cards: await scheduler.place(need, runtimes.residents, { signal, onWait }), isBeside: false };
}

async function importFirst(docker: Docker, plan: DeployPlan, writer: DeployLogWriter): Promise<string> {
  if (plan.archive === null) return plan.image;
  writer.write(`Importing ${plan.archive}`);
  const names = await importArchive(docker, createReadStream(plan.archive));
  writer.write(`Imported ${names.join(', ')}`);
  const isWanted = (await findImage(docker, plan.image)) !== null;
  return isWanted ? plan.image : (names[0] ?? plan.image);
}

/** Limner's own base images are built on first use. */
async function ownBaseImage({ containers, writer, signal }: Work, image: string): Promise<void> {
  const language = ownBaseLanguage(image);
  if (language === undefined) return;
  await containers.engine.use(async (docker, facts) => {
    if ((await findImage(docker, image)) !== null) return;
    requireOwnArchitecture(facts, image);
    writer.write(`Building ${image} from this computer's ${language === 'node' ? 'Node.js' : 'Python'}`);
    await buildBaseImage(docker, { language: language === 'node' ? 'node' : 'python', signal });
  });
}

const architectures: Readonly<Record<string, string>> = {
  x86_64: 'x64',
  amd64: 'x64',
  aarch64: 'arm64',
  arm64: 'arm64',
};

/** Base images contain this computer's interpreter. @throws AppError 400 for an Engine with other CPUs */
function requireOwnArchitecture({ architecture }: EngineFacts, image: string): void {
  if ((architectures[architecture] ?? architecture) === process.arch) return;
  throw new AppError(
    'invalid',
    `Cannot build ${image}: the Engine has ${architecture} CPUs, and this computer has ${process.arch}. Choose an image of the Engine with --base-image.`,
  );
}

/** Saves the handler files of the request or of the folder, so that they can be deployed again. */
async function keepFiles({ handlersDirectory, plan, stamp }: Work): Promise<string | null> {
  if (plan.files.length === 0) return plan.directory;
  const folder = join(handlersDirectory, plan.configuration.name, stamp);
  const disk = createDurableFiles();
  await disk.makeFolder(folder);
  if (plan.directory !== null) await cp(plan.directory, folder, { recursive: true });
  for (const { path, content } of plan.files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await disk.writtenBelow(folder);
  await disk.sync();
  return folder;
}

function makeImage(work: Work, image: string): Promise<PreparedImage> {
  const { containers, instance, plan, progress, request, runtimesDirectory, stamp, signal, writer } = work;
  const { configuration } = plan;
  return containers.engine.use((docker) =>
    prepareImage(docker, {
      ...plan,
      // Values of variables are secrets and must not be part of an image.
      document: splitSecrets(plan.document).document,
      image,
      handlerDirectory: progress.directory,
      files: [],
      runtimesDirectory,
      labels: { [functionLabels.instance]: instance, [functionLabels.function]: configuration.name },
      stamp,
      allowNetwork: request.grants.includes(buildNetworkGrant),
      log: (line) => writer.write(line),
      signal,
    }),
  );
}

interface Result {
  readonly image: string;
  readonly prepared: PreparedImage;
  readonly withRuntime: boolean;
  readonly warnings: readonly string[];
  readonly container: RunningContainer;
  readonly cards: GpuChoice;
}

function store(
  { name: engine, records, secrets, plan, progress, request, by, previous, kept, versions }: Work,
  result: Result,
): void {
  const { document, env } = splitSecrets(plan.document);
  const { prepared, container, cards } = result;
  const { directory } = progress;
  records.update(plan.configuration.name, {
    provider: 'docker',
    engine,
    project: plan.configuration.project,
    document: JSON.stringify(document),
    secrets: sealSecrets(secrets, { env }),
    way: kept === null ? plan.way : kept.record.row.way,
    image: result.image,
    running_image: prepared.name,
    is_image_made: prepared.isMade ? 1 : 0,
    has_runtime: result.withRuntime ? 1 : 0,
    commands: prepared.commands === null ? null : JSON.stringify(prepared.commands),
    directory,
    is_directory_own:
      kept === null ? Number(directory !== null && directory !== plan.directory) : kept.record.row.is_directory_own,
    grants: JSON.stringify(request.grants),
    state: 'ready',
    message: '',
    warnings: JSON.stringify(result.warnings),
    container_id: container.containerId,
    port: container.port,
    cards: JSON.stringify(Array.isArray(cards.cards) ? cards.cards : []),
    address: null,
    gpu_memory_mib: request.gpu_memory_mib ?? null,
    idle_stop_seconds: null,
    version:
      kept?.version ?? versions.next(plan.configuration.name, previous?.row.running_image ? previous.row.version : 0),
    owner_id: by.userId,
  });
}

/** Also saves the previous version if it was deployed before versions were recorded. */
async function keepVersion({ kept, plan, previous, records, versions }: Work): Promise<void> {
  const { name } = plan.configuration;
  if (previous?.row.provider === 'docker' && !versions.has(name, previous.row.version)) await versions.keep(previous);
  if (kept === null) await versions.keep(records.require(name));
}

async function fail(work: Work, error: unknown): Promise<void> {
  const { containers, log, records, plan, previous, progress, signal, writer } = work;
  const { name } = plan.configuration;
  const reason = signal.aborted ? 'It was interrupted.' : deploySentence(error);
  if (!signal.aborted && !(error instanceof AppError)) log.error('A deployment failed', { function: name, error });
  for (const line of reason.split('\n')) writer.write(`Error: ${line}`);
  const made = progress.prepared;
  if (made?.isMade && work.kept === null && made.name !== previous?.row.running_image) {
    await containers.engine.use((docker) => removeMadeImage(docker, made.name)).catch(() => undefined);
  }
  if (progress.directory !== null && work.kept === null && progress.directory !== plan.directory) {
    await rm(progress.directory, { recursive: true, force: true });
  }
  records.note(name, await afterFailure(work, reason));
}

/** Keeps or restarts the previous version after a failure. */
async function afterFailure({ containers, previous, progress }: Work, reason: string): Promise<FunctionChange> {
  const { row, configuration } = previous ?? {};
  const failed = `The deployment failed. ${reason}`;
  if (!row?.container_id || !configuration) {
    const kept = row?.running_image ? ' The previous deployment is kept. Start it to use it again.' : '';
    return { state: 'error', message: failed + kept, container_id: null };
  }
  const message = `The last deployment failed; the previous one is still running. ${reason}`;
  if (!progress.isOldStopped || row.state !== 'ready') return { state: row.state, message };
  // Its GPUs may be in use by another function now. If the start fails, the next call tries again.
  try {
    const { port } = await containers.start(configuration, row.container_id, row.has_runtime === 1);
    return { state: 'ready', message, port };
  } catch (error) {
    const kept = `The previous deployment did not start again: ${deploySentence(error)} Start it to use it again.`;
    return { state: 'error', message: `${failed} ${kept}` };
  }
}
