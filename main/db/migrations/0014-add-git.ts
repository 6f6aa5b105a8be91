import type { Migration } from './migration.ts';

/** The private key is in the volume of keys, as `keys/ssh/<id>.key`. */
const keys = `
CREATE TABLE ssh_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- as a server lists it in its authorized_keys: type, base64, comment
  public_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  -- 1: needs a passphrase, which is not stored
  has_passphrase INTEGER NOT NULL,
  created_date TEXT NOT NULL,
  last_used_date TEXT,
  UNIQUE (user_id, fingerprint)
) STRICT;
`;

/**
 * A task whose annotations are also in a folder of a remote repository. `base` is the last common commit: the task
 * equals its state there plus local changes. `git_object` maps annotations to their names in the repository, because
 * ids are valid only in one store.
 */
const bindings = `
CREATE TABLE git_binding (
  task_id INTEGER PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  branch TEXT NOT NULL,
  folder TEXT NOT NULL,
  base TEXT,
  pulled_date TEXT,
  pushed_date TEXT
) STRICT;
CREATE TABLE git_object (
  task_id INTEGER NOT NULL REFERENCES git_binding (task_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'shape', 'track')),
  object_id INTEGER NOT NULL,
  uid TEXT NOT NULL,
  PRIMARY KEY (task_id, kind, object_id)
) STRICT, WITHOUT ROWID;
`;

export const addGit: Migration = {
  version: 14,
  name: 'add-git',
  up: (database) => database.exec(keys + bindings),
};
