import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import type { ModelVersions, VersionChanges } from '../../../preload/contract/schema/function-versions.ts';
import { AppError } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { requestAgain, type Deployer } from '../deploy/deployer.ts';
import type { FunctionModelFiles } from '../records/function-model-files.ts';
import { presentRecord } from '../records/function-record.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { FunctionVersions } from '../versions/function-versions.ts';
import type { NamedModels } from './named-models.ts';

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);

export function createVersionService({
  models,
  deployer,
  records,
  versions,
  modelFiles,
}: {
  readonly models: NamedModels;
  readonly deployer: Pick<Deployer, 'start' | 'ended'>;
  readonly records: Pick<FunctionRecords, 'get'>;
  readonly versions: FunctionVersions;
  readonly modelFiles: Pick<FunctionModelFiles, 'known'>;
}) {
  /** Waits for the version record, which is written shortly after the function is ready. */
  const whenKept = async (name: string): Promise<void> => {
    if (records.get(name)?.row.state !== 'building') await deployer.ended(name);
  };
  return {
    /** Recorded versions, newest first; empty for functions that run elsewhere or in Limner itself. */
    async versions(actor: Actor, name: string): Promise<ModelVersions> {
      manage(actor);
      await whenKept(name);
      const model = models.named(name);
      return versions.list(name, model.kind === 'record' ? model.record.row.version : 1);
    },
    async versionChanges(actor: Actor, name: string, version: number, since?: number): Promise<VersionChanges> {
      manage(actor);
      await whenKept(name);
      models.named(name);
      return versions.changes(name, version, since);
    },
    /** Replaces the current version by an earlier one without building or reading anything again. */
    async rollBack(actor: Actor, name: string, version: number): Promise<ModelFunction> {
      manage(actor);
      const { row } = models.container(name);
      if (row.version === version && row.state !== 'error') {
        throw new AppError('conflict', `Version ${version} of "${name}" is the current version.`);
      }
      const kept = await versions.find(name, version);
      const configuration_name = `version ${version} of ${name}`;
      const request = requestAgain(kept.record, { configuration_name, way: 'image', image: kept.image });
      return modelFiles.known(presentRecord(await deployer.start(request, actor, kept)));
    },
  };
}
