import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Store, type StoreOptions } from '../../main/db/store.ts';
import { createWriteLockState, locksTaken } from '../../main/platform/write-lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), 'store.sqlite');
});

function open(options: StoreOptions = {}): Store {
  const store = new Store(file, options);
  onTestFinished(() => store.close());
  store.exec('CREATE TABLE IF NOT EXISTS box (x INTEGER) STRICT');
  return store;
}

const boxes = (store: Store) => store.query<[], number>('SELECT x FROM box ORDER BY x').pluck().all();
const add = (store: Store, ...values: number[]) =>
  values.forEach((x) => store.query<[number], never>('INSERT INTO box VALUES (?)').run(x));

test('prepares a statement on its first use', () => {
  const later = open().query('SELECT y FROM box');
  expect(() => later.get()).toThrow('no such column: y');
});

test('returns rows as objects, as arrays, or as their first column', () => {
  const store = open();
  add(store, 1, 2);
  const sql = 'SELECT x, x * 2 AS twice FROM box WHERE x > +@least ORDER BY x';
  expect(store.query<{ least: number }>(sql).all({ least: 0 })).toEqual([
    { x: 1, twice: 2 },
    { x: 2, twice: 4 },
  ]);
  expect(store.query(sql).raw().get({ least: 1 })).toEqual([2, 4]);
  expect([...store.query(sql).pluck().iterate({ least: 0 })]).toEqual([1, 2]);
  expect(store.query(sql).get({ least: 2 })).toBeUndefined();
});

describe('a write', () => {
  test('is rolled back when it throws; one inside another is rolled back alone', () => {
    const store = open();
    const fail = (x: number) => () => {
      add(store, x);
      throw new Error('broken');
    };
    expect(() => store.write(fail(1))).toThrow('broken');
    store.write(() => {
      add(store, 2);
      expect(() => store.write(fail(3))).toThrow('broken');
    });
    expect(boxes(store)).toEqual([2]);
  });

  test('takes one turn of the write lock for all of its statements; a read takes none', () => {
    const turns = createWriteLockState();
    const store = open({ turns });
    expect(boxes(store)).toEqual([]);
    expect(locksTaken(turns)).toBe(0);
    store.write(() => add(store, 1, 2, 3));
    expect(locksTaken(turns)).toBe(1);
    add(store, 4);
    expect(store.query('DELETE FROM box WHERE x = 4 RETURNING x').all()).toEqual([{ x: 4 }]);
    store.holdWrites(() => expect(boxes(store)).toEqual([1, 2, 3]));
    expect(locksTaken(turns)).toBe(4);
  });

  test.each([
    ['commit', 2],
    ['checkpoint', 1],
  ] as const)('syncs at each %s', (sync, level) => {
    expect(open({ sync }).pragma('synchronous', { simple: true })).toBe(level);
  });
});

test('a snapshot does not change while others write', () => {
  const [reader, writer] = [open(), open()];
  reader.beginSnapshot();
  add(writer, 1);
  expect(boxes(reader)).toEqual([]);
  reader.endSnapshot();
  expect(boxes(reader)).toEqual([1]);
});

test('a counter receives the rows that each statement read and wrote', () => {
  const counted: [read: number, written: number, blobBytes: number][] = [];
  const store = open({ counter: { count: (...rows) => counted.push(rows) } });
  add(store, 1, 2, 3);
  boxes(store);
  const some = store.query('SELECT x FROM box').iterate();
  some.next();
  some.return?.();
  store.query('SELECT x FROM box WHERE x > 5').get();
  store.query('UPDATE box SET x = x + 1').run();
  store.query('DELETE FROM box WHERE x > 2 RETURNING x').all();
  const rows = [...[1, 2, 3].map(() => [0, 1]), [3, 0], [1, 0], [0, 0], [0, 3], [0, 2]];
  expect(counted).toEqual(rows.map((row) => [...row, 0]));
  counted.length = 0;
  store.query('SELECT zeroblob(7) AS points').all();
  expect(counted).toEqual([[1, 0, 7]]);
});
