import type { Migration } from './migration.ts';

/**
 * Contents that frames had before a change: their images were removed or replaced. An undo exchanges them with the
 * present ones. Without a change nothing can be undone, and the files are deleted.
 */
export const replacedFrames: Migration = {
  version: 36,
  name: 'replaced-frames',
  up: (database) =>
    database.exec(`
CREATE TABLE replaced_frame (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  change_id INTEGER REFERENCES annotation_change (id) ON DELETE SET NULL,
  media_id INTEGER NOT NULL REFERENCES media (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  -- columns of the frame's row
  file TEXT,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  related TEXT,
  identity TEXT,
  problem TEXT,
  -- 1 if the frame was deleted
  deleted INTEGER NOT NULL CHECK (deleted IN (0, 1))
) STRICT;
CREATE INDEX replaced_frame_change ON replaced_frame (change_id);
CREATE INDEX replaced_frame_media ON replaced_frame (media_id);
ALTER TABLE annotation_change RENAME COLUMN kind TO old_kind;
ALTER TABLE annotation_change ADD COLUMN kind TEXT NOT NULL DEFAULT 'import'
  CHECK (kind IN ('import', 'replace', 'clear', 'delete', 'label', 'undo', 'frames'));
UPDATE annotation_change SET kind = old_kind;
ALTER TABLE annotation_change DROP COLUMN old_kind;
`),
};
