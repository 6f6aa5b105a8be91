import type { Migration } from './migration.ts';

/** Whether the compressed chunks of a video are ZIPs of images (all existing ones) or videos. */
const zipChunks = 'ALTER TABLE media ADD COLUMN zip_chunks INTEGER NOT NULL DEFAULT 1';

export const knowChunkTypes: Migration = {
  version: 19,
  name: 'know-chunk-types',
  up: (database) => database.exec(zipChunks),
};
