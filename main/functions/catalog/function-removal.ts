import { rm } from 'node:fs/promises';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { DeployLogs } from '../deploy/deploy-log.ts';
import type { Deployer } from '../deploy/deployer.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { removeMadeImage } from '../engines/docker/images.ts';
import type { NativeModels } from '../native/native-service.ts';
import type { CallNumbers } from '../numbers/call-numbers.ts';
import type { FunctionModelFiles } from '../records/function-model-files.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { FunctionRuntimes } from '../runtime/function-runtimes.ts';
import type { FunctionVersions } from '../versions/function-versions.ts';
import type { NamedModels } from './named-models.ts';

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);

export function createFunctionRemoval({
  models,
  records,
  containers,
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
  readonly containers: Pick<DockerFunctions, 'engine'>;
  readonly runtimes: Pick<FunctionRuntimes, 'of' | 'forget'>;
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
