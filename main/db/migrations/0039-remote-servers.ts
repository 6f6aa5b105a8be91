import type { Migration } from './migration.ts';

/** CVAT servers of users, and the jobs that follow a job of such a server. */
export const remoteServers: Migration = {
  version: 39,
  name: 'remote-servers',
  up: (database) =>
    database.exec(`
CREATE TABLE remote_server (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  -- sealed
  token TEXT NOT NULL,
  -- PEM; empty: the certificate authorities of this computer
  certificate TEXT NOT NULL,
  -- product version and user name at the last check
  version TEXT NOT NULL,
  username TEXT NOT NULL,
  created_date TEXT NOT NULL,
  UNIQUE (owner_id, name)
) STRICT;
-- local projects and tasks of a server's projects and tasks; tasks only if they were published
CREATE TABLE remote_place (
  server_id INTEGER NOT NULL REFERENCES remote_server (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('project', 'task')),
  remote_id INTEGER NOT NULL,
  project_id INTEGER REFERENCES project (id) ON DELETE CASCADE,
  task_id INTEGER REFERENCES task (id) ON DELETE CASCADE,
  PRIMARY KEY (server_id, kind, remote_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX remote_place_project ON remote_place (project_id);
CREATE INDEX remote_place_task ON remote_place (task_id);
CREATE TABLE remote_job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  server_id INTEGER NOT NULL REFERENCES remote_server (id) ON DELETE CASCADE,
  remote_job_id INTEGER NOT NULL,
  remote_task_id INTEGER NOT NULL,
  remote_project_id INTEGER,
  name TEXT NOT NULL,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  -- null until the frames are here
  job_id INTEGER REFERENCES job (id) ON DELETE CASCADE,
  -- number of the local frame 0 on the server
  first_frame INTEGER NOT NULL,
  -- JSON array of the frames' numbers on the server, if they are not consecutive
  frames TEXT,
  frame_count INTEGER NOT NULL,
  -- 0 until the annotations are here
  is_ready INTEGER NOT NULL,
  pulled_date TEXT,
  pushed_date TEXT,
  UNIQUE (server_id, remote_job_id)
) STRICT;
CREATE INDEX remote_job_task ON remote_job (task_id);
CREATE INDEX remote_job_job ON remote_job (job_id);
CREATE TABLE remote_frame (
  link_id INTEGER NOT NULL REFERENCES remote_job (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- size of the downloaded file; null until it is complete
  bytes INTEGER,
  PRIMARY KEY (link_id, frame)
) STRICT, WITHOUT ROWID;
-- objects of both ends, and their texts when both ends were last equal
CREATE TABLE remote_object (
  link_id INTEGER NOT NULL REFERENCES remote_job (id) ON DELETE CASCADE,
  uid TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'shape', 'track', 'issue', 'comment', 'job')),
  local_id INTEGER,
  remote_id INTEGER,
  here TEXT,
  there TEXT,
  -- text that a push is sending; empty for a deletion; null without a push
  sending TEXT,
  PRIMARY KEY (link_id, uid)
) STRICT, WITHOUT ROWID;
`),
};
