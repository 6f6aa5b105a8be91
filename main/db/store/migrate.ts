import type { Store } from '../store.ts';
import { copyStoreTo } from './copies.ts';
import { applicationId } from './store-files.ts';
import type { Migration } from '../migrations/migration.ts';
import { createSchema } from '../migrations/0001-create-workbench.ts';
import { addOrganizations } from '../migrations/0002-add-organizations.ts';
import { addWebhooks } from '../migrations/0003-add-webhooks.ts';
import { addReview } from '../migrations/0004-add-review.ts';
import { addFunctions } from '../migrations/0005-add-functions.ts';
import { addWorkIntake } from '../migrations/0006-add-work-intake.ts';
import { keepPreviousSecrets } from '../migrations/0007-keep-previous-secrets.ts';
import { keepTotals } from '../migrations/0008-keep-totals.ts';
import { countCrashMarkers } from '../migrations/0009-count-own-ends.ts';
import { keepReplacedAnnotations } from '../migrations/0010-keep-replaced-annotations.ts';
import { rememberCutTracks } from '../migrations/0011-remember-cut-tracks.ts';
import { sealAddressesKeepStorages } from '../migrations/0012-seal-addresses-keep-storages.ts';
import { knowImages } from '../migrations/0013-know-images.ts';
import { addGit } from '../migrations/0014-add-git.ts';
import { keepHistory } from '../migrations/0015-keep-history.ts';
import { addEvaluations } from '../migrations/0016-add-evaluations.ts';
import { runModelsWell } from '../migrations/0017-run-models-well.ts';
import { addWeights } from '../migrations/0018-add-weights.ts';
import { knowChunkTypes } from '../migrations/0019-know-chunk-types.ts';
import { addQuality } from '../migrations/0020-add-quality.ts';
import { watchModels } from '../migrations/0021-watch-models.ts';
import { keepVersions } from '../migrations/0022-keep-versions.ts';
import { measureProjects } from '../migrations/0023-measure-projects.ts';
import { bindProjects } from '../migrations/0024-bind-projects.ts';
import { addConsensus } from '../migrations/0025-add-consensus.ts';
import { runModelsOnCards } from '../migrations/0026-run-models-on-cards.ts';
import { answerAgents } from '../migrations/0027-answer-agents.ts';
import { keepGitCopies } from '../migrations/0028-keep-git-copies.ts';
import { renameReportFields } from '../migrations/0029-rename-report-fields.ts';

/** In order. Never change a released migration. */
export const migrations: readonly Migration[] = [
  createSchema,
  addOrganizations,
  addWebhooks,
  addReview,
  addFunctions,
  addWorkIntake,
  keepPreviousSecrets,
  keepTotals,
  countCrashMarkers,
  keepReplacedAnnotations,
  rememberCutTracks,
  sealAddressesKeepStorages,
  knowImages,
  addGit,
  keepHistory,
  addEvaluations,
  runModelsWell,
  addWeights,
  knowChunkTypes,
  addQuality,
  watchModels,
  keepVersions,
  measureProjects,
  bindProjects,
  addConsensus,
  runModelsOnCards,
  answerAgents,
  keepGitCopies,
  renameReportFields,
];

export const newestSchema = migrations.at(-1)?.version ?? 0;

/**
 * Migrates the schema, each step in a transaction; a new store gets all of them in one, because a partial schema is
 * useless. Before an upgrade the store is copied to `<file>.before-<version>-<time>`. The caller has checked that the
 * store is Limner's and not newer.
 */
export function migrate(database: Store, steps: readonly Migration[] = migrations): void {
  const current = Number(database.pragma('user_version', { simple: true }));
  const newest = steps.at(-1)?.version ?? 0;
  const pending = steps.filter((step) => step.version > current);
  if (pending.length === 0) return;
  if (current > 0) copyStoreTo(database, `${database.file}.before-${newest}-${Date.now()}`);
  const take = (step: Migration) =>
    database.write(() => {
      step.up(database);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${step.version}`);
    });
  if (current === 0) database.write(() => pending.forEach(take));
  else pending.forEach(take);
}
