import type { Store } from '../../db/store.ts';
import { userColumns } from '../../users/accounts/present.ts';

export interface GuideRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly task_id: number | null;
  readonly markdown: string;
  readonly created_date: string;
  readonly updated_date: string;
}

export interface AssetRow {
  readonly uuid: string;
  readonly guide_id: number;
  readonly filename: string;
  readonly content_type: string;
  readonly owner_id: number | null;
  readonly created_date: string;
}

export type GuideRepository = ReturnType<typeof createGuideRepository>;

export function createGuideRepository(database: Store) {
  const guide = database.query('SELECT * FROM guide WHERE id = +?');
  const insert = database.query(
    'INSERT INTO guide (project_id, task_id, markdown, created_date, updated_date) VALUES (?, ?, ?, ?, ?)',
  );
  const update = database.query('UPDATE guide SET markdown = ?, updated_date = ? WHERE id = +?');
  const remove = database.query('DELETE FROM guide WHERE id = +?');
  const ofOwner = database.query('SELECT * FROM guide WHERE project_id = +@project_id OR task_id = +@task_id');
  const exists = database.query('SELECT 1 FROM guide WHERE project_id = +? OR task_id = +?');
  const asset = database.query(
    `SELECT asset.*, ${userColumns('owner', 'owner')} FROM asset LEFT JOIN user owner ON owner.id = asset.owner_id
     WHERE uuid = +?`,
  );
  const assetsOf = database.query('SELECT uuid FROM asset WHERE guide_id = +?');
  const assigned = database.query(
    `SELECT 1 FROM job JOIN task ON task.id = job.task_id
     WHERE job.assignee_id = +@userId AND (task.id = +@task_id OR task.project_id = +@project_id) LIMIT 1`,
  );
  const insertAsset = database.query(
    'INSERT INTO asset (uuid, guide_id, filename, content_type, owner_id, created_date) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const removeAsset = database.query('DELETE FROM asset WHERE uuid = +?');
  return {
    get: (id: number) => guide.get(id) as GuideRow | undefined,
    of: (owner: Pick<GuideRow, 'project_id' | 'task_id'>) => ofOwner.get(owner) as GuideRow | undefined,
    exists: (projectId: number | null, taskId: number | null) => exists.get(projectId, taskId) !== undefined,
    insert: (projectId: number | null, taskId: number | null, markdown: string, date: string) =>
      Number(insert.run(projectId, taskId, markdown, date, date).lastInsertRowid),
    update: (id: number, markdown: string, date: string) => void update.run(markdown, date, id),
    remove: (id: number) => void remove.run(id),
    hasJob: (userId: number, { project_id, task_id }: Pick<GuideRow, 'project_id' | 'task_id'>) =>
      assigned.get({ userId, project_id, task_id }) !== undefined,
    asset: (uuid: string) => asset.get(uuid) as AssetRow | undefined,
    assets: (guideId: number) => (assetsOf.all(guideId) as { uuid: string }[]).map((row) => row.uuid),
    insertAsset: (row: AssetRow) =>
      void insertAsset.run(row.uuid, row.guide_id, row.filename, row.content_type, row.owner_id, row.created_date),
    removeAsset: (uuid: string) => void removeAsset.run(uuid),
  };
}
