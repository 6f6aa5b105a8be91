import type { Migration } from './migration.ts';

/**
 * A track over several jobs is stored in pieces, one a job. What they were cut from is kept beside them, as a track of
 * its own with `piece_count` in its row and in those of its elements: no job shows it, exports read it while all of its
 * pieces are there and unchanged. It lies in the set of its first piece and goes with that; the first change of a piece
 * removes it. `origin_id` is its id, in its own row and in those of its pieces, and says for ever that these are parts
 * of one track: ids are never used again.
 *
 * Tracks that were cut before remember nothing: which pieces belong together would be a guess.
 */
const origins = `
ALTER TABLE track ADD COLUMN origin_id INTEGER;
ALTER TABLE track ADD COLUMN piece_count INTEGER;
CREATE INDEX track_origin ON track (origin_id) WHERE origin_id IS NOT NULL;
`;

export const rememberCutTracks: Migration = {
  version: 11,
  name: 'remember-cut-tracks',
  up: (database) => database.exec(origins),
};
