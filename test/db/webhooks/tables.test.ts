import { beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../main/db/store/migrate.ts';
import type { Store } from '../../../main/db/store.ts';
import { temporaryDatabase } from '../../support/new-store.ts';

let database: Store;
beforeEach(() => {
  database = temporaryDatabase();
});

function fill(): void {
  database.exec(`
    INSERT INTO organization (id, slug, name, created_date, updated_date) VALUES (1, 'team', 'Team', '', '');
    INSERT INTO project (id, name, organization_id, created_date, updated_date) VALUES
      (1, 'inside', 1, '', ''), (2, 'outside', NULL, '', '');
  `);
}

const insert = (type: string, projectId: number | null, organizationId: number | null) =>
  Number(
    database
      .query(
        `INSERT INTO webhook (type, target_url, description, content_type, secret, is_active, enable_ssl, events,
           project_id, organization_id, created_date, updated_date)
         VALUES (?, 'http://a.example.org/', '', 'application/json', '', 1, 1, '', ?, ?, '', '')`,
      )
      .run(type, projectId, organizationId).lastInsertRowid,
  );
const stages = () => database.query('SELECT id, stage, project_id FROM webhook ORDER BY id').all();

describe('the tables of webhooks', () => {
  test('contain no webhook whose type, project and organization contradict each other', () => {
    migrate(database);
    fill();
    expect(() => insert('project', null, null)).toThrow(/CHECK/);
    expect(() => insert('organization', 1, 1)).toThrow(/CHECK/);
    expect(() => insert('organization', null, null)).toThrow(/CHECK/);
    expect(() => insert('task', 1, null)).toThrow(/CHECK/);
    insert('project', 1, null);
    insert('organization', null, 1);
  });

  test('keep a webhook until its queue is sent when its project or organization is deleted, by a cascade too', () => {
    migrate(database);
    fill();
    insert('project', 1, null);
    insert('project', 2, null);
    insert('organization', null, 1);
    database.exec('DELETE FROM organization WHERE id = 1');
    expect(stages()).toEqual([
      { id: 1, stage: 'draining', project_id: null },
      { id: 2, stage: 'live', project_id: 2 },
      { id: 3, stage: 'draining', project_id: null },
    ]);
  });
});
