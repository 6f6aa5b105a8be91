import type { Migration } from './migration.ts';

/** Where the files of a model run: in a process of Limner's own, or in the container of the function of that name. */
export const runWeightsInContainers: Migration = {
  version: 26,
  name: 'run-weights-in-containers',
  up: (database) => {
    database.exec('ALTER TABLE model_weights ADD COLUMN is_in_container INTEGER NOT NULL DEFAULT 0');
  },
};
