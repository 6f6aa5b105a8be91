import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, migrations } from '../../main/db/store/migrate.ts';
import { openDatabase } from '../../main/db/open.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'limner-db-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the store', () => {
  test('is durable: WAL, synchronous FULL, foreign keys on', () => {
    const database = openDatabase(join(folder, 'limner.sqlite'));
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
    database.close();
  });

  test('gets every table as STRICT and passes the integrity check', () => {
    const database = openDatabase(join(folder, 'limner.sqlite'));
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
    const first = openDatabase(file);
    migrate(first);
    const schema = first.prepare('SELECT sql FROM sqlite_schema').all();
    first.close();
    const second = openDatabase(file);
    migrate(second);
    expect(second.prepare('SELECT sql FROM sqlite_schema').all()).toEqual(schema);
    second.close();
  });

  test('is copied before an upgrade; a step that fails changes nothing', () => {
    const database = openDatabase(join(folder, 'limner.sqlite'));
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
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'half'").get()).toEqual({ n: 0 });
    expect(readdirSync(folder).some((name) => name.includes('.before-'))).toBe(true);
    database.close();
  });
});
