import type { Migration } from './migration.ts';

const steps = `
-- whether the files of a model run in the container of the function of that name
ALTER TABLE model_weights ADD COLUMN is_in_container INTEGER NOT NULL DEFAULT 0;
-- the most that its container was seen to hold of all cards; null where it was not seen
ALTER TABLE model_minute ADD COLUMN gpu_memory_bytes INTEGER;
`;

export const runModelsOnCards: Migration = {
  version: 26,
  name: 'run-models-on-cards',
  up: (database) => database.exec(steps),
};
