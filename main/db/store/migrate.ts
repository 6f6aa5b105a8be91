import type { Store } from '../store.ts';
import { copyStoreTo } from './copies.ts';
import { applicationId } from './store-files.ts';
import { baseline } from '../migrations/0028-baseline.ts';
import { renameReportFields } from '../migrations/0029-rename-report-fields.ts';
import { indexRetries } from '../migrations/0030-index-retries.ts';
import { unreadFrames } from '../migrations/0031-unread-frames.ts';
import { serverWebhooks } from '../migrations/0032-server-webhooks.ts';
import { qualityRequirements } from '../migrations/0033-quality-requirements.ts';
import { offeredPredictions } from '../migrations/0034-offered-predictions.ts';
import { honeypots } from '../migrations/0035-honeypots.ts';
import { replacedFrames } from '../migrations/0036-replaced-frames.ts';
import { watchedFolders } from '../migrations/0037-watched-folders.ts';
import { cloudStorages } from '../migrations/0038-cloud-storages.ts';
import { remoteServers } from '../migrations/0039-remote-servers.ts';
import { textPrompts } from '../migrations/0040-text-prompts.ts';
import { engines } from '../migrations/0041-engines.ts';
import { stagedSaves } from '../migrations/0042-staged-saves.ts';
import type { Migration } from '../migrations/migration.ts';

/** In order. Never change a released migration. */
export const migrations: readonly Migration[] = [
  baseline,
  renameReportFields,
  indexRetries,
  unreadFrames,
  serverWebhooks,
  qualityRequirements,
  offeredPredictions,
  honeypots,
  replacedFrames,
  watchedFolders,
  cloudStorages,
  remoteServers,
  textPrompts,
  engines,
  stagedSaves,
];

/** Stores with an earlier schema are refused: no such version was released. */
export const oldestSchema = baseline.version;
export const newestSchema = migrations.at(-1)?.version ?? oldestSchema;

/**
 * Migrates the schema, each step in a transaction; a new store gets all of them in one, because a partial schema is
 * useless. Foreign keys are off during the steps, because a step that replaces a table would delete the rows that refer
 * to it. Before an upgrade the store is copied to `<file>.before-<version>-<time>`. The caller has checked that the store
 * is Limner's and not newer.
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
  // Has no effect inside a transaction.
  database.pragma('foreign_keys = OFF');
  try {
    if (current === 0) database.write(() => pending.forEach(take));
    else pending.forEach(take);
  } finally {
    database.pragma('foreign_keys = ON');
  }
}
