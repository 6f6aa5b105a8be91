import type { Migration } from './migration.ts';

/** 1 if the compressed chunks of a video are ZIPs of images (as for all earlier videos), 0 if they are videos. */
const zipChunks = 'ALTER TABLE media ADD COLUMN zip_chunks INTEGER NOT NULL DEFAULT 1';

export const knowChunkTypes: Migration = {
  version: 19,
  name: 'know-chunk-types',
  up: (database) => database.exec(zipChunks),
};
