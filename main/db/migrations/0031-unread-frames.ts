import type { Migration } from './migration.ts';

/**
 * A folder opens when it is listed, before its images are read. `unread` is 1 while some frames have no size: their
 * width is 0. `problem` is the sentence that tells why a frame's file is not an image; its width stays 0.
 */
export const unreadFrames: Migration = {
  version: 31,
  name: 'unread-frames',
  up: (database) =>
    database.exec(`
ALTER TABLE media ADD COLUMN unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1));
ALTER TABLE frame ADD COLUMN problem TEXT;
`),
};
