import type { z } from 'zod';
import type {
  DeployCheck,
  DeployRequest,
  endpointWriteSchema,
  ModelFunction,
  modelPatchSchema,
} from '../../../preload/contract/schema/functions.ts';
import { findingSentence } from '../configuration/configuration-error.ts';
import { parseConfigurationText } from '../configuration/parse-configuration.ts';
import { ModelProblem } from '../configuration/model-description.ts';
import type { AllRuntimes, FunctionEngines } from '../runtime/function-engines.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AddressRule } from '../engines/address-rule.ts';
import { requestAgain, type Deployer } from '../deploy/deployer.ts';
import { modelOf, presentRecord, sealSecrets, splitSecrets, type FunctionRecord } from '../records/function-record.ts';
import type { FunctionModelFiles } from '../records/function-model-files.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { NativeModels } from '../native/native-service.ts';
import { newFunction } from '../records/function-repository.ts';
import type { NamedModels } from './named-models.ts';

interface Dependencies {
  readonly addresses: Pick<AddressRule, 'requireAllowed'>;
  readonly models: NamedModels;
  readonly records: FunctionRecords;
  readonly engines: Pick<FunctionEngines, 'ofFunction'>;
  readonly runtimes: Pick<AllRuntimes, 'of' | 'start' | 'stop'>;
  readonly deployer: Deployer;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly native: Pick<NativeModels, 'list' | 'get'>;
  readonly modelFiles: Omit<FunctionModelFiles, 'decoders' | 'remove'>;
}

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
const view = (actor: Actor) => requireAllowed(actor, 'function', 'view', noFacts);

export function createFunctionService(dependencies: Dependencies) {
  const { addresses, models, engines, records, runtimes, deployer, clock, secrets, modelFiles, native } = dependencies;
  const shown = (record: FunctionRecord): ModelFunction => {
    const { scheduler, containers } = engines.ofFunction(record.row.name);
    const model = modelFiles.known(presentRecord(record, scheduler.waiting(record.row.name)));
    const problem = record.row.provider === 'docker' && model.state === 'ready' ? containers.engine.lost() : null;
    return problem === null ? model : { ...model, state: 'unhealthy', message: problem.message };
  };
  const present = (actor: Actor, name: string): ModelFunction =>
    modelFiles.get(name) ?? native.get(actor, name) ?? shown(records.require(name));

  return {
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
      const record = models.container(name);
      const { way, image, directory: own } = record.row;
      const directory = modelFiles.folderInContainer(name) ?? own;
      const request = requestAgain(record, {
        configuration_name: `the record of ${name}`,
        way: way ?? undefined,
        ...(image === null ? {} : way === 'image' ? { image } : { base_image: image }),
        directory: directory ?? undefined,
        grants,
      });
      return shown(await deployer.start(request, actor));
    },
    async update(actor: Actor, name: string, patch: z.output<typeof modelPatchSchema>): Promise<ModelFunction> {
      manage(actor);
      if (models.named(name).kind !== 'record') models.container(name);
      await deployer.requireIdle(name);
      const { gpu_memory_mib: gpuMemory, idle_stop_seconds: idle, state } = patch;
      if (gpuMemory !== undefined) records.note(name, { gpu_memory_mib: gpuMemory });
      if (idle !== undefined) {
        records.note(name, { idle_stop_seconds: idle ?? 0 });
        runtimes.of(name).tellRest();
      }
      if (state !== undefined) models.container(name);
      if (state === 'stopped') await runtimes.stop(name);
      if (state === 'ready') await runtimes.start(name);
      return present(actor, name);
    },
    async addEndpoint(actor: Actor, body: z.output<typeof endpointWriteSchema>): Promise<ModelFunction> {
      manage(actor);
      await addresses.requireAllowed(body.url);
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

const conflict = (message: string) => new AppError('conflict', message);
