import type { Migration } from './migration.ts';

/** Prediction sets whose objects annotators see as suggestions. */
export const offeredPredictions: Migration = {
  version: 34,
  name: 'offered predictions',
  up: (database) =>
    database.exec(
      'ALTER TABLE prediction_set ADD COLUMN offered INTEGER NOT NULL DEFAULT 0 CHECK (offered IN (0, 1));',
    ),
};
