import { AppError } from '../platform/errors.ts';
import type { Database } from './open.ts';
import { createWorkbench } from './migrations/0001-create-workbench.ts';
import { addOrganizations } from './migrations/0002-add-organizations.ts';
import { addWebhooks } from './migrations/0003-add-webhooks.ts';
import { addReview } from './migrations/0004-add-review.ts';
import { addFunctions } from './migrations/0005-add-functions.ts';
import { addWorkIntake } from './migrations/0006-add-work-intake.ts';
import { keepPreviousSecrets } from './migrations/0007-keep-previous-secrets.ts';
import { keepTotals } from './migrations/0008-keep-totals.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly up: (database: Database) => void;
}

/** In order; a migration that was released never changes. */
export const migrations: readonly Migration[] = [
  createWorkbench,
  addOrganizations,
  addWebhooks,
  addReview,
  addFunctions,
  addWorkIntake,
  keepPreviousSecrets,
  keepTotals,
];

/** Marks the file as Limner's in its header, so that another program's database is not taken for one ('LMNR'). */
const applicationId = 0x4c4d4e52;

function pragma(database: Database, name: string): number {
  return Number(database.pragma(name, { simple: true }));
}

/**
 * Brings the schema up to date, each step in a transaction of its own. Before an upgrade the store is copied by
 * `VACUUM INTO` to `<file>.before-<version>`. A newer schema is refused.
 */
export function migrate(database: Database, steps: readonly Migration[] = migrations): void {
  const current = pragma(database, 'user_version');
  const newest = steps.at(-1)?.version ?? 0;
  const owner = pragma(database, 'application_id');
  if (owner !== 0 && owner !== applicationId) {
    throw new AppError('invalid', `${database.name} is a database of another program. Choose another data directory.`);
  }
  if (current > newest) {
    throw new AppError(
      'invalid',
      `This data directory was written by a newer Limner (schema ${current}; this one knows ${newest}). ` +
        'Nothing was changed. Start the newer version, or choose another data directory.',
    );
  }
  const pending = steps.filter((step) => step.version > current);
  if (pending.length === 0) return;
  if (current > 0) database.prepare('VACUUM INTO ?').run(`${database.name}.before-${newest}-${Date.now()}`);
  for (const step of pending) {
    database.transaction(() => {
      step.up(database);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${step.version}`);
    })();
  }
}
