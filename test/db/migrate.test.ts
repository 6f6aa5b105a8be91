import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { migrate, migrations } from '../../main/db/store/migrate.ts';
import { Store } from '../../main/db/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('the store', () => {
  test('is durable: WAL, synchronous FULL, foreign keys on', () => {
    const database = new Store(join(folder, 'limner.sqlite'));
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
    database.close();
  });

  test('has all its migrations in order', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });

  test('gets every table as STRICT and passes the integrity check', () => {
    const database = new Store(join(folder, 'limner.sqlite'));
    migrate(database);
    const tables = database.pragma('table_list') as { name: string; strict: number; type: string; schema: string }[];
    const own = tables.filter((table) => table.type === 'table' && !table.name.startsWith('sqlite_'));
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((table) => table.strict !== 1)).toEqual([]);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('user_version', { simple: true })).toBe(migrations.at(-1)?.version);
    database.close();
  });

  test('opens again unchanged', () => {
    const file = join(folder, 'limner.sqlite');
    const first = new Store(file);
    migrate(first);
    const schema = first.query('SELECT sql FROM sqlite_schema').all();
    first.close();
    const second = new Store(file);
    migrate(second);
    expect(second.query('SELECT sql FROM sqlite_schema').all()).toEqual(schema);
    second.close();
  });

  test('is copied before an upgrade; a failed migration changes nothing', () => {
    const database = new Store(join(folder, 'limner.sqlite'));
    migrate(database);
    const next = (migrations.at(-1)?.version ?? 0) + 1;
    const failing = {
      version: next,
      name: 'fails-halfway',
      up: () => {
        database.exec('CREATE TABLE half (id INTEGER) STRICT');
        throw new Error('broken');
      },
    };
    expect(() => migrate(database, [...migrations, failing])).toThrow('broken');
    expect(database.pragma('user_version', { simple: true })).toBe(next - 1);
    expect(database.query("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'half'").get()).toEqual({ n: 0 });
    expect(readdirSync(folder).some((name) => name.includes('.before-'))).toBe(true);
    database.close();
  });

  test('keeps evaluations, reports, conflicts and settings of tasks when those of projects are added', () => {
    const database = new Store(join(folder, 'limner.sqlite'));
    migrate(
      database,
      migrations.filter(({ version }) => version < 23),
    );
    const day = '2026-01-01T00:00:00.000000Z';
    database.exec(`
      INSERT INTO project (id, name, created_date, updated_date) VALUES (1, 'fleet', '${day}', '${day}');
      INSERT INTO task (id, name, project_id, segment_size, created_date, updated_date) VALUES
        (1, 'chosen', 1, 1, '${day}', '${day}'), (2, 'untouched', 1, 1, '${day}', '${day}'), (3, 'alone', NULL, 1, '${day}', '${day}');
      INSERT INTO evaluation (id, task_id, name, kind, settings, created_date) VALUES (7, 1, 'e', 'bbox', '{}', '${day}');
      INSERT INTO evaluation_model (evaluation_id, position, name, facts) VALUES (7, 0, 'v1', x'0102');
      INSERT INTO quality_settings (task_id, chosen, created_date, updated_date) VALUES
        (1, '{"iou_threshold":0.5}', '${day}', '${day}'), (2, '{}', '${day}', '${day}'), (3, '{}', '${day}', '${day}');
      INSERT INTO quality_report (id, parent_id, task_id, created_date, target_last_updated, gt_last_updated, summary, data)
        VALUES (4, NULL, 1, '${day}', '${day}', '${day}', '{}', '{}'), (5, 4, 1, '${day}', '${day}', '${day}', '{}', '{}');
      INSERT INTO quality_conflict (report_id, frame, type, severity, annotation_ids) VALUES (5, 0, 'low_overlap', 'warning', '[]');
    `);
    migrate(database);
    const all = (sql: string) => database.query(sql).raw().all();
    expect(all('SELECT id, task_id, project_id, name FROM evaluation')).toEqual([[7, 1, null, 'e']]);
    expect(all('SELECT evaluation_id, name, hex(facts) FROM evaluation_model')).toEqual([[7, 'v1', '0102']]);
    expect(all('SELECT task_id, inherit, chosen FROM quality_settings ORDER BY task_id')).toEqual([
      [1, 0, '{"iou_threshold":0.5}'],
      [2, 1, '{}'],
      [3, 0, '{}'],
    ]);
    expect(all('SELECT id, parent_id FROM quality_report ORDER BY id')).toEqual([
      [4, null],
      [5, 4],
    ]);
    expect(all('SELECT report_id, type FROM quality_conflict')).toEqual([[5, 'low_overlap']]);
    expect(database.pragma('foreign_key_check')).toEqual([]);
    // Rows that reference the task are still deleted with it.
    database.exec('DELETE FROM task WHERE id = 1');
    expect(all('SELECT count(*) FROM evaluation_model UNION ALL SELECT count(*) FROM quality_conflict')).toEqual([
      [0],
      [0],
    ]);
    database.close();
  });
});
