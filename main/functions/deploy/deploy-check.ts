import { readFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { DeployCheck, DeployRequest } from '../../../preload/contract/schema/functions.ts';
import { AppError } from '../../platform/errors.ts';
import { ModelProblem } from '../configuration/model-description.ts';
import { findPermissions, requireGrants, type Permission } from '../policy/permissions.ts';
import { planResources, requireWorkers, type EngineCapacity } from '../policy/resource-plan.ts';
import { buildPermissions, buildNetworkGrant, scanBuild, type BuildScan } from '../engines/docker/build-scan.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import type { EngineFacts } from '../engines/docker/engine.ts';
import { findImage } from '../engines/docker/images.ts';
import { reachPermissions } from '../engines/docker/reach.ts';
import { hasRuntime, needsRuntime } from '../engines/docker/runtime-command.ts';
import type { DeployPlan } from './deploy-plan.ts';
import { modelOf, presentModel } from '../records/function-record.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { GpuNeed } from '../gpu/gpu-budget.ts';
import type { Resident } from '../runtime/gpu-queue.ts';
import type { GpuScheduler } from '../runtime/gpu-scheduler.ts';

interface Seen {
  readonly scan: BuildScan;
  readonly reach: readonly Permission[];
}

interface Dependencies {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly scheduler: GpuScheduler;
  readonly attached: () => Promise<void>;
  readonly hasDecoder: (name: string) => boolean;
  /** Functions whose GPUs may be preempted for the deployment. */
  readonly residents: () => readonly Resident[];
}

/** Checks a deployment before it starts: its permissions, its GPUs and all errors that can be known in advance. */
export function createDeployCheck({ records, containers, scheduler, attached, hasDecoder, residents }: Dependencies) {
  async function scanOf(plan: DeployPlan, docker: Docker): Promise<BuildScan> {
    const hasImage = async (name: string) => isOwnBase(name) || (await findImage(docker, name)) !== null;
    const base = await findImage(docker, plan.image);
    return scanBuild(plan.configuration, plan.image, hasImage, base?.variables);
  }

  async function permissionsOf(plan: DeployPlan, seen: Seen | null): Promise<Permission[]> {
    const { configuration, directory, copiedFolder } = plan;
    const own = await findPermissions({
      configuration,
      // A folder that the configuration names is untrusted, so its volumes do not count as the function's own.
      handlerDirectory: copiedFolder === null ? directory : null,
      copiedFolder,
    });
    if (seen === null) return own;
    return [...own, ...(plan.way === 'build' ? buildPermissions(seen.scan) : []), ...seen.reach];
  }

  async function look(plan: DeployPlan, docker: Docker, facts: EngineFacts): Promise<Seen> {
    const image = plan.way === 'image' ? await findImage(docker, plan.image) : null;
    // Handlers get Limner's runtime. The image of an archive is inspected only after its import.
    const withRuntime = image === null || hasRuntime(image) || needsRuntime(image);
    return { scan: await scanOf(plan, docker), reach: reachPermissions(plan.configuration, withRuntime, facts) };
  }

  /** Requires the plan's images to exist, except for builds with network access, which pull them. */
  async function requireImages(plan: DeployPlan, scan: BuildScan, docker: Docker, grants: readonly string[]) {
    const { archive, configuration, image, way } = plan;
    if (archive !== null) return;
    if (way === 'image' && (await findImage(docker, image)) === null) {
      throw missingImage(`Docker does not have the image "${image}" of "${configuration.name}"`);
    }
    if (way === 'image' || grants.includes(buildNetworkGrant)) return;
    const missing = scan.findings.find(
      ({ kind, key }) => kind === 'missing' && (way === 'build' || key.endsWith('baseImage')),
    );
    if (missing) throw missingImage(missing.reason);
  }

  function requirePort({ configuration }: DeployPlan): void {
    const { name, trigger } = configuration;
    if (trigger.port === null || !records.heldPorts(name).has(trigger.port)) return;
    const holder = records.list().find(({ row }) => row.port === trigger.port && row.name !== name);
    const message = `Port ${trigger.port} belongs to the function "${holder?.row.name}". Choose another port for "${name}".`;
    throw new AppError('conflict', message);
  }

  const cardNeed = (
    { configuration: { name, resources, trigger } }: DeployPlan,
    declaredMiB: number | null | undefined,
  ): GpuNeed => ({
    functionName: name,
    count: resources.gpuCount,
    devices: resources.gpuDevices,
    workers: trigger.workers ?? 1,
    perWorkerMiB: declaredMiB ?? resources.gpuMemoryMiB ?? records.get(name)?.row.measured_gpu_memory_mib ?? null,
    measured: records.get(name)?.measured ?? {},
  });

  /** Returns the GPU request, the scheduler's forecast and the other resources. */
  async function cardsOf(plan: DeployPlan) {
    const need = cardNeed(plan, null);
    const choice = await scheduler
      .foresee(need, residents())
      .catch((error: unknown) => ({ problem: deploySentence(error) }));
    return {
      gpu: {
        count: need.count,
        workers: need.workers,
        per_worker_mib: need.perWorkerMiB,
        problem: 'problem' in choice ? choice.problem : null,
      },
      warnings: [...('warnings' in choice ? choice.warnings : []), ...(await featureWarnings(plan, hasDecoder))],
    };
  }

  async function inspectPlan(docker: Docker, facts: EngineFacts, plan: DeployPlan) {
    return {
      seen: await look(plan, docker, facts),
      hasImage: isOwnBase(plan.image) || (await findImage(docker, plan.image)) !== null,
      capacity: facts,
    };
  }

  return {
    /** Rejects a plan that must not or cannot be deployed. Returns its GPU request. @throws AppError */
    async admit(plan: DeployPlan, request: DeployRequest): Promise<GpuNeed> {
      const { configuration } = plan;
      const { name } = configuration;
      // The configuration is checked first, because its permissions do not depend on the Docker Engine.
      requireGrants(name, await permissionsOf(plan, null), request.grants);
      await attached();
      await containers.engine.use(async (docker, facts) => {
        const seen = await look(plan, docker, facts);
        requireGrants(name, await permissionsOf(plan, seen), request.grants);
        requireWorkers(configuration, facts);
        await requireImages(plan, seen.scan, docker, request.grants);
      });
      requirePort(plan);
      const need = cardNeed(plan, request.gpu_memory_mib);
      await scheduler.foresee(need, residents());
      return need;
    },
    async check(plan: DeployPlan): Promise<DeployCheck> {
      const { configuration, way, image, warnings } = plan;
      const engine = await containers.engine
        .use((docker, facts) => inspectPlan(docker, facts, plan))
        .catch((error: unknown) => ({ problem: deploySentence(error) }));
      const cards = await cardsOf(plan);
      const capacity = 'capacity' in engine ? engine.capacity : ownCapacity();
      requireWorkers(configuration, capacity);
      const seen: Seen =
        'seen' in engine ? engine.seen : { scan: await scanBuild(configuration, image, async () => true), reach: [] };
      return {
        name: configuration.name,
        title: configuration.annotations['name'] || configuration.name,
        ...presentModel(modelOf(configuration)),
        way,
        image,
        has_image: 'hasImage' in engine ? engine.hasImage : null,
        engine_problem: 'problem' in engine ? engine.problem : null,
        exists: records.get(configuration.name) !== undefined,
        warnings: [...warnings, ...planResources(configuration, capacity).warnings, ...cards.warnings],
        gpu: cards.gpu,
        permissions: await permissionsOf(plan, seen),
        directives: way === 'build' ? [...seen.scan.findings] : [],
      };
    },
  };
}

/** Capacity of this computer, used while the Docker Engine is unavailable. */
const ownCapacity = (): EngineCapacity => ({ cpuCores: availableParallelism(), memoryBytes: totalmem() });

/** Base images that Limner builds itself count as present. */
export const ownBaseLanguage = (name: string): string | undefined =>
  /^limner\/base-(node|python)(:latest)?$/.exec(name)?.[1];
const isOwnBase = (name: string) => ownBaseLanguage(name) !== undefined;

export function deploySentence(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.message;
  return `An unexpected error occurred (${error instanceof Error ? error.message : String(error)}).`;
}

function missingImage(reason: string): AppError {
  const message =
    `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. Import it from an archive (docker save on a computer that has it), or ` +
    'choose another image. Nothing was changed.';
  return new AppError('not-found', message);
}

const longestHandler = 1024 * 1024;

/**
 * CVAT's Segment Anything returns image features (`blob`) that an external decoder turns into masks. Only the handler's
 * text tells which answer it gives.
 */
async function featureWarnings(plan: DeployPlan, hasDecoder: (name: string) => boolean): Promise<string[]> {
  const { configuration } = plan;
  const model = modelOf(configuration);
  const isInteractor = !(model instanceof ModelProblem) && model.kind === 'interactor';
  if (!isInteractor || hasDecoder(configuration.name)) return [];
  const file = `${configuration.handler.split(':')[0] ?? 'main'}.py`;
  const sent = plan.files.find(({ path }) => path === file)?.content.toString();
  const text =
    sent ?? (plan.directory === null ? '' : await readFile(join(plan.directory, file), 'utf8').catch(() => ''));
  if (!/['"]blob['"]\s*:/.test(text.slice(0, longestHandler))) return [];
  const warning =
    `Its handler returns features, which need a decoder. After the deployment, add the decoder's ONNX file ` +
    `(limner model decoder ${configuration.name} FILE). Without a decoder, clicks in the workspace have no effect.`;
  return [warning];
}
