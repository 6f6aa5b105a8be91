import { rm } from 'node:fs/promises';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { DeployLogs } from '../deploy/deploy-log.ts';
import type { Deployer } from '../deploy/deployer.ts';
import { removeMadeImage } from '../engines/docker/images.ts';
import type { AllRuntimes, FunctionEngines } from '../runtime/function-engines.ts';
import type { NativeModels } from '../native/native-service.ts';
import type { CallNumbers } from '../numbers/call-numbers.ts';
import type { FunctionModelFiles } from '../records/function-model-files.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { FunctionVersions } from '../versions/function-versions.ts';
import type { NamedModels } from './named-models.ts';

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);

export function createFunctionRemoval({
  models,
  records,
  engines,
  runtimes,
  deployer,
  logs,
  native,
  numbers,
  modelFiles,
  versions,
}: {
  readonly models: NamedModels;
  readonly records: Pick<FunctionRecords, 'remove'>;
  readonly engines: Pick<FunctionEngines, 'ofFunction'>;
  readonly runtimes: Pick<AllRuntimes, 'of' | 'forget'>;
  readonly deployer: Pick<Deployer, 'requireIdle'>;
  readonly logs: DeployLogs;
  readonly native: Pick<NativeModels, 'remove'>;
  readonly numbers: Pick<CallNumbers, 'forget'>;
  readonly modelFiles: Pick<FunctionModelFiles, 'remove'>;
  readonly versions: Pick<FunctionVersions, 'removeAll'>;
}) {
  return {
    /** Deletes the record, the container and the artifacts that Limner created. Other images stay. */
    async remove(actor: Actor, name: string): Promise<void> {
      manage(actor);
      const model = models.named(name);
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
          await engines
            .ofFunction(name)
            .containers.engine.use((docker) => removeMadeImage(docker, row.running_image ?? ''));
        }
      }
      if (row.provider === 'docker') await versions.removeAll(name);
      // Before the record, which names the Engine.
      runtimes.forget(name);
      records.remove(name);
      numbers.forget(name);
      if (row.is_directory_own === 1 && row.directory !== null) {
        await rm(row.directory, { recursive: true, force: true });
      }
      // Also deletes the decoder.
      await modelFiles.remove(name);
      await logs.remove(name);
    },
  };
}
