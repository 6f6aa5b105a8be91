import type { Migration } from './migration.ts';

/**
 * Honeypots: frames in jobs that repeat a frame of the validation pool, which is behind all other frames of the task.
 * `real_frame` is that frame. `honeypots_per_job` is null for a task without a pool.
 */
export const honeypots: Migration = {
  version: 35,
  name: 'honeypots',
  up: (database) =>
    database.exec(`
ALTER TABLE frame ADD COLUMN real_frame INTEGER;
ALTER TABLE media ADD COLUMN honeypots_per_job INTEGER;
`),
};
