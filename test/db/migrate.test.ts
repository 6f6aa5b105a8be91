import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate, migrations, oldestSchema } from '../../main/db/store/migrate.ts';
import { baseline } from '../../main/db/migrations/0028-baseline.ts';
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
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => oldestSchema + index));
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
});

describe('a store of the last build before the baseline', () => {
  const earlier = () => {
    const file = join(folder, 'limner.sqlite');
    writeFileSync(file, gunzipSync(readFileSync(new URL('../fixtures/schema-28.sqlite.gz', import.meta.url))));
    const store = new Store(file);
    onTestFinished(() => store.close());
    return store;
  };

  test('is unchanged by the baseline', () => {
    const store = earlier();
    const rows = () => tablesOf(store).map((table) => store.query(`SELECT * FROM "${table}"`).all());
    const schema = () => store.query('SELECT * FROM sqlite_schema').all();
    const before = [schema(), rows()];
    migrate(store, [baseline]);
    expect([schema(), rows()]).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.includes('.before-'))).toEqual([]);
  });

  test('gets exactly the schema of a new one, and keeps its rows', () => {
    const created = new Store(join(folder, 'new.sqlite'));
    onTestFinished(() => created.close());
    migrate(created);
    const store = earlier();
    migrate(store);
    expect(schemaOf(store)).toEqual(schemaOf(created));
    expect(store.query('SELECT name, subset FROM task').all()).toEqual([{ name: 'ships', subset: 'train' }]);
  });
});

const tablesOf = (store: Store) =>
  store.query<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();

/** Tables with their columns in order, keys and indexes; and the SQL of each object without comments and spaces. */
function schemaOf(store: Store) {
  const facts = ['table_xinfo', 'foreign_key_list', 'index_list'].map((pragma) => (table: string) => [
    table,
    (store.pragma(`${pragma}("${table}")`) as object[]).map((row) => ({ ...row })),
  ]);
  const texts = store
    .query<[], { name: string; sql: string }>('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
    .all();
  const plain = (sql: string) =>
    sql
      .replaceAll(/--[^\n]*/g, '')
      .replaceAll(/\s*([(),;])\s*/g, '$1')
      .replaceAll(/"(?!values")(\w+)"/g, '$1')
      .replaceAll(/\s+/g, ' ');
  return {
    tables: tablesOf(store).flatMap((table) => facts.map((fact) => fact(table))),
    texts: texts.map(({ name, sql }) => [name, plain(sql)]),
  };
}
