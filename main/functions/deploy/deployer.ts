import { randomBytes } from 'node:crypto';
import type { DeployCheck, DeployRequest } from '../../../preload/contract/schema/functions.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { FunctionModelFiles } from '../records/function-model-files.ts';
import { createDeployCheck } from './deploy-check.ts';
import { runDeployment, type DeployRunDependencies, type Deploying } from './deploy-run.ts';
import { planDeployment, type DeployPlan } from './deploy-plan.ts';
import { splitSecrets, type FunctionRecord } from '../records/function-record.ts';
import type { KeptVersion } from '../versions/function-versions.ts';
import { localEngine, newFunction } from '../records/function-repository.ts';
import type { FunctionEngine, FunctionEngines } from '../runtime/function-engines.ts';

export interface DeployerDependencies extends Omit<DeployRunDependencies, keyof FunctionEngine> {
  readonly engines: Pick<FunctionEngines, 'of'>;
  /** True if there is an Engine with this name. */
  readonly hasEngine: (name: string) => boolean;
  readonly clock: Clock;
  readonly samplesDirectory: string;
  readonly modelFiles: Pick<FunctionModelFiles, 'isThere' | 'folderInContainer' | 'decoders'>;
}

/** Deploys a function again from its record. */
export function requestAgain(
  { row, configuration, document, grants }: FunctionRecord,
  from: Pick<DeployRequest, 'configuration_name' | 'way' | 'image' | 'base_image' | 'directory'> & {
    readonly grants?: readonly string[];
  },
): DeployRequest {
  return {
    ...from,
    engine: row.engine,
    configuration: JSON.stringify(document),
    env: configuration.env.map(({ name, value }) => ({ name, value })),
    volumes: [],
    resource_limits: {},
    grants: [...(from.grants ?? grants)],
    gpu_memory_mib: row.gpu_memory_mib ?? undefined,
  };
}

export type Deployer = ReturnType<typeof createDeployer>;

/**
 * Deploys functions. Requests are validated first, then deployed in the background; the record shows the progress. A
 * failed deployment keeps the record with a message and leaves the previous version running.
 */
export function createDeployer(dependencies: DeployerDependencies) {
  const { records, engines, hasEngine, log, clock, samplesDirectory, modelFiles } = dependencies;
  const checksOn = ({ containers, scheduler, runtimes }: FunctionEngine) =>
    createDeployCheck({
      records,
      containers,
      scheduler,
      attached: runtimes.attached,
      hasDecoder: modelFiles.decoders.has,
      residents: runtimes.residents,
    });
  const running = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  const envOf = (name: string) =>
    new Map(records.get(name)?.configuration.env.map((variable) => [variable.name, variable.value]));

  /** @throws AppError 400 for an unknown Engine; 409 if the function is deployed on another one */
  function engineFor(name: string, { engine: wanted }: DeployRequest): FunctionEngine {
    const current = records.get(name)?.row;
    const engine = wanted ?? current?.engine ?? localEngine;
    if (!hasEngine(engine))
      throw invalidField('engine', `There is no Engine "${engine}". List them with: limner engine list`);
    if (current === undefined || current.provider !== 'docker' || current.engine === engine) return engines.of(engine);
    throw new AppError(
      'conflict',
      `"${name}" is deployed on the Engine "${current.engine}". Delete it there first, or choose another name for "${engine}".`,
    );
  }

  /** Sets the record to `building` until the deployment ends. */
  function announce({ configuration, document, way }: DeployPlan, by: Deploying, engine: string): void {
    const { name, project } = configuration;
    const state = { state: 'building', message: 'It is being deployed.' } as const;
    if (records.get(name)) records.note(name, state);
    else {
      records.insert({
        ...newFunction(name, project, clock()),
        ...state,
        engine,
        document: JSON.stringify(splitSecrets(document).document),
        way,
        owner_id: by.userId,
      });
    }
  }

  function refuseSecond(name: string): void {
    if (!running.has(name)) return;
    throw new AppError(
      'conflict',
      `"${name}" is being deployed. Wait until the deployment has ended, then deploy it again.`,
    );
  }

  /** Waits instead of rejecting while a ready function only cleans up, because that is short. */
  async function requireIdle(name: string): Promise<void> {
    if (records.get(name)?.row.state === 'building') refuseSecond(name);
    await running.get(name)?.done;
  }

  return {
    /** @throws AppError 409 while the function is being deployed */
    requireIdle,
    /**
     * Starts a deployment and returns its record in state `building`.
     * @param kept the version to restore, with a request for its image
     * @throws AppError for every error that can be known in advance
     */
    async start(request: DeployRequest, by: Deploying, kept: KeptVersion | null = null): Promise<FunctionRecord> {
      const plan = await planDeployment(request, samplesDirectory, envOf);
      const { name } = plan.configuration;
      const modelFolder = modelFiles.folderInContainer(name);
      const isOwn = modelFolder === null || kept !== null || request.directory === modelFolder;
      if (modelFiles.isThere(name) || !isOwn) {
        throw new AppError(
          'conflict',
          `The name "${name}" is used by a model file. Delete that model, or choose another name.`,
        );
      }
      await requireIdle(name);
      const target = engineFor(name, request);
      const { scheduler } = target;
      const need = await checksOn(target).admit(plan, request);
      refuseSecond(name);
      const previous = records.get(name);
      const controller = new AbortController();
      const { promise: done, resolve } = Promise.withResolvers<void>();
      running.set(name, { controller, done });
      // The previous version runs until it is replaced, whatever state its record has.
      if (previous) scheduler.keep(previous);
      announce(plan, by, target.name);
      const record = records.require(name);
      const job = {
        plan,
        request,
        need,
        by,
        previous,
        kept,
        stamp: randomBytes(4).toString('hex'),
        signal: controller.signal,
      };
      runDeployment({ ...dependencies, ...target }, job)
        .catch((error: unknown) => log.error('A deployment failed', { function: name, error }))
        .finally(() => {
          scheduler.release(name);
          running.delete(name);
          resolve();
        });
      return record;
    },
    async check(request: DeployRequest): Promise<DeployCheck> {
      const plan = await planDeployment(request, samplesDirectory, envOf);
      return checksOn(engineFor(plan.configuration.name, request)).check(plan);
    },
    /** Resolves when the function's deployment has ended, also after a failure. */
    ended: async (name: string): Promise<void> => running.get(name)?.done,
    /** Cancels a deployment and waits for its end. Returns false if none was running. */
    async cancel(name: string): Promise<boolean> {
      const one = running.get(name);
      one?.controller.abort();
      await one?.done;
      return one !== undefined;
    },
    async stop(): Promise<void> {
      const all = [...running.values()];
      for (const { controller } of all) controller.abort();
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}
