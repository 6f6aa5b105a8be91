import type { Store } from '../db/store.ts';

export interface ServerRow {
  readonly id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly address: string;
  /** Sealed. */
  readonly token: string;
  readonly certificate: string;
  readonly version: string;
  readonly username: string;
  readonly created_date: string;
}

export interface LinkRow {
  readonly id: number;
  readonly server_id: number;
  readonly remote_job_id: number;
  readonly remote_task_id: number;
  readonly remote_project_id: number | null;
  readonly name: string;
  readonly task_id: number;
  readonly job_id: number | null;
  readonly first_frame: number;
  /** JSON array of the frames' numbers on the server, if they are not consecutive. */
  readonly frames: string | null;
  readonly frame_count: number;
  readonly is_ready: number;
  readonly pulled_date: string | null;
  readonly pushed_date: string | null;
}
export type NewLink = Omit<LinkRow, 'id' | 'pulled_date' | 'pushed_date'>;

export interface FrameRow {
  readonly frame: number;
  readonly name: string;
  readonly bytes: number | null;
}

export const remoteKinds = ['tag', 'shape', 'track', 'issue', 'comment', 'job'] as const;
export type RemoteKind = (typeof remoteKinds)[number];

/** An object of both ends. `here` and `there` are its texts when both ends were last equal. */
export interface ObjectRow {
  readonly uid: string;
  readonly kind: RemoteKind;
  readonly local_id: number | null;
  readonly remote_id: number | null;
  readonly here: string | null;
  readonly there: string | null;
  /** Text that an unfinished push sends; empty for a deletion. */
  readonly sending: string | null;
}

export type RemoteRepository = ReturnType<typeof createRemoteRepository>;

export function createRemoteRepository(database: Store) {
  return { ...createServers(database), ...createLinks(database), ...createObjects(database) };
}

function createServers(database: Store) {
  const columns = [
    'owner_id',
    'name',
    'address',
    'token',
    'certificate',
    'version',
    'username',
    'created_date',
  ] as const;
  const all = database.query<[number], ServerRow>('SELECT * FROM remote_server WHERE owner_id = +? ORDER BY name');
  const one = database.query<[number, number], ServerRow>(
    'SELECT * FROM remote_server WHERE id = +? AND owner_id = +?',
  );
  const insert = database.query(
    `INSERT INTO remote_server (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
  );
  const update = database.query(
    `UPDATE remote_server SET name = :name, address = :address, token = :token, certificate = :certificate,
       version = :version, username = :username WHERE id = +:id`,
  );
  const remove = database.query('DELETE FROM remote_server WHERE id = +?');
  const links = database.query<[number], number>('SELECT count(*) FROM remote_job WHERE server_id = +?').pluck();
  const bytes = database
    .query<[number], number>(
      `SELECT coalesce(sum(bytes), 0) FROM remote_frame JOIN remote_job ON remote_job.id = remote_frame.link_id
       JOIN remote_server ON remote_server.id = remote_job.server_id WHERE owner_id = +?`,
    )
    .pluck();
  return {
    servers: (ownerId: number): ServerRow[] => all.all(ownerId),
    server: (id: number, ownerId: number): ServerRow | undefined => one.get(id, ownerId),
    insertServer: (row: Omit<ServerRow, 'id'>): number => Number(insert.run(row).lastInsertRowid),
    updateServer: ({ id, name, address, token, certificate, version, username }: ServerRow): void =>
      void update.run({ id, name, address, token, certificate, version, username }),
    removeServer: (id: number): void => void remove.run(id),
    linkCount: (serverId: number): number => links.get(serverId) ?? 0,
    frameBytes: (ownerId: number): number => bytes.get(ownerId) ?? 0,
  };
}

function createLinks(database: Store) {
  const columns = [
    'server_id',
    'remote_job_id',
    'remote_task_id',
    'remote_project_id',
    'name',
    'task_id',
    'job_id',
    'first_frame',
    'frames',
    'frame_count',
    'is_ready',
  ] as const;
  const owned = `SELECT remote_job.* FROM remote_job JOIN remote_server ON remote_server.id = remote_job.server_id
    WHERE remote_server.owner_id = +?`;
  const ofOwner = database.query<[number], LinkRow>(`${owned} ORDER BY remote_job.name, remote_job.remote_job_id`);
  const one = database.query<[number, number], LinkRow>(`${owned} AND remote_job.id = +?`);
  const byRemote = database.query<[number, number], LinkRow>(
    'SELECT * FROM remote_job WHERE server_id = +? AND remote_job_id = +?',
  );
  const unready = database
    .query<[number], number>('SELECT count(*) FROM remote_job WHERE id = +? AND is_ready = 0')
    .pluck();
  const insert = database.query(
    `INSERT INTO remote_job (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
  );
  const remove = database.query('DELETE FROM remote_job WHERE id = +?');
  const setJob = database.query('UPDATE remote_job SET job_id = ? WHERE id = +?');
  const setReady = database.query('UPDATE remote_job SET is_ready = 1, pulled_date = ? WHERE id = +?');
  const pulled = database.query('UPDATE remote_job SET pulled_date = ? WHERE id = +?');
  const pushed = database.query('UPDATE remote_job SET pushed_date = ? WHERE id = +?');
  const frames = database.query<[number], FrameRow>(
    'SELECT frame, name, bytes FROM remote_frame WHERE link_id = +? ORDER BY frame',
  );
  const addFrame = database.query('INSERT INTO remote_frame (link_id, frame, name) VALUES (?, ?, ?)');
  const storeFrame = database.query('UPDATE remote_frame SET bytes = ? WHERE link_id = +? AND frame = +?');
  const stored = database.query<[number], { count: number; bytes: number }>(
    'SELECT count(bytes) AS count, coalesce(sum(bytes), 0) AS bytes FROM remote_frame WHERE link_id = +?',
  );
  const place = database.query<[number, string, number], { project_id: number | null; task_id: number | null }>(
    'SELECT project_id, task_id FROM remote_place WHERE server_id = +? AND kind = +? AND remote_id = +?',
  );
  const placeOfProject = database
    .query<[number, number], number>(
      "SELECT remote_id FROM remote_place WHERE server_id = +? AND kind = 'project' AND project_id = +?",
    )
    .pluck();
  const placeOfTask = database
    .query<[number, number], number>(
      "SELECT remote_id FROM remote_place WHERE server_id = +? AND kind = 'task' AND task_id = +?",
    )
    .pluck();
  const putPlace = database.query(
    'INSERT OR REPLACE INTO remote_place (server_id, kind, remote_id, project_id, task_id) VALUES (?, ?, ?, ?, ?)',
  );
  const removePlace = database.query(
    "DELETE FROM remote_place WHERE server_id = +? AND kind = 'task' AND task_id = +?",
  );
  return {
    links: (ownerId: number): LinkRow[] => ofOwner.all(ownerId),
    link: (id: number, ownerId: number): LinkRow | undefined => one.get(ownerId, id),
    linkOf: (serverId: number, remoteJobId: number): LinkRow | undefined => byRemote.get(serverId, remoteJobId),
    isCheckingOut: (id: number): boolean => (unready.get(id) ?? 0) > 0,
    insertLink: (row: NewLink): number => Number(insert.run(row).lastInsertRowid),
    removeLink: (id: number): void => void remove.run(id),
    setJob: (id: number, jobId: number): void => void setJob.run(jobId, id),
    setReady: (id: number, date: string): void => void setReady.run(date, id),
    pulled: (id: number, date: string): void => void pulled.run(date, id),
    pushed: (id: number, date: string): void => void pushed.run(date, id),
    frames: (linkId: number): FrameRow[] => frames.all(linkId),
    addFrame: (linkId: number, frame: number, name: string): void => void addFrame.run(linkId, frame, name),
    storeFrame: (linkId: number, frame: number, bytes: number): void => void storeFrame.run(bytes, linkId, frame),
    stored: (linkId: number) => stored.get(linkId) ?? { count: 0, bytes: 0 },
    localProject: (serverId: number, remoteId: number): number | null =>
      place.get(serverId, 'project', remoteId)?.project_id ?? null,
    remoteProject: (serverId: number, projectId: number): number | undefined => placeOfProject.get(serverId, projectId),
    remoteTask: (serverId: number, taskId: number): number | undefined => placeOfTask.get(serverId, taskId),
    putProject: (serverId: number, remoteId: number, projectId: number): void =>
      void putPlace.run(serverId, 'project', remoteId, projectId, null),
    putTask: (serverId: number, remoteId: number, taskId: number): void =>
      void putPlace.run(serverId, 'task', remoteId, null, taskId),
    removeTask: (serverId: number, taskId: number): void => void removePlace.run(serverId, taskId),
  };
}

function createObjects(database: Store) {
  const all = database.query<[number], ObjectRow>(
    'SELECT uid, kind, local_id, remote_id, here, there, sending FROM remote_object WHERE link_id = +?',
  );
  const put = database.query(
    `INSERT OR REPLACE INTO remote_object (link_id, uid, kind, local_id, remote_id, here, there, sending)
     VALUES (:link_id, :uid, :kind, :local_id, :remote_id, :here, :there, :sending)`,
  );
  const remove = database.query('DELETE FROM remote_object WHERE link_id = +? AND uid = +?');
  const sending = database
    .query<[number], number>('SELECT count(*) FROM remote_object WHERE link_id = +? AND sending IS NOT NULL')
    .pluck();
  return {
    objects: (linkId: number): ObjectRow[] => all.all(linkId),
    putObject: (linkId: number, { uid, kind, local_id, remote_id, here, there, sending: text }: ObjectRow): void =>
      void put.run({ link_id: linkId, uid, kind, local_id, remote_id, here, there, sending: text }),
    removeObject: (linkId: number, uid: string): void => void remove.run(linkId, uid),
    isSending: (linkId: number): boolean => (sending.get(linkId) ?? 0) > 0,
  };
}
