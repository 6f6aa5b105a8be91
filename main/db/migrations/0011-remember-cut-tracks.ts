import type { Migration } from './migration.ts';

/**
 * A track over several jobs is stored in pieces, one per job. The original is stored beside them, as a separate track
 * with `piece_count` in its row and in those of its elements. No job shows it; exports read it while all of its pieces
 * are present and unchanged. It is in the set of its first piece and is deleted with it; the first change of a piece
 * removes it. `origin_id` is its id, in its own row and in those of its pieces. It marks them permanently as parts of
 * one track, because ids are never reused.
 *
 * Tracks cut earlier have no original: any assignment of pieces would be a guess.
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
