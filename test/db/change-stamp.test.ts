import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createChangeStamp } from '../../main/db/change-stamp.ts';
import { Store } from '../../main/db/store.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();
const own = new Store(join(folder, 'store.sqlite'));
own.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY); CREATE TABLE part (thing REFERENCES thing ON DELETE CASCADE)');
const other = new Store(join(folder, 'store.sqlite'));
const { whole: stamp } = createChangeStamp(own);
afterAll(() => {
  own.close();
  other.close();
});

const changes = (work: () => void) => {
  const before = stamp();
  work();
  return expect(stamp()).not.toEqual(before);
};

test('reading keeps the stamp', () => {
  const before = stamp();
  own.query('SELECT * FROM thing').all();
  other.query('SELECT * FROM thing').all();
  expect(stamp()).toEqual(before);
});

test('every write changes it: own ones, cascades, rolled back ones, and those of another connection', () => {
  changes(() => void own.query('INSERT INTO thing VALUES (1), (2)').run());
  changes(() => void other.query('INSERT INTO part VALUES (1)').run());
  changes(() => void other.query('UPDATE part SET thing = 2').run());
  changes(() => void own.query('DELETE FROM thing WHERE id = 1').run());
  changes(() => void own.query('DELETE FROM thing').run());
  changes(() => {
    own.exec('BEGIN');
    own.query('INSERT INTO thing VALUES (3)').run();
    own.exec('ROLLBACK');
  });
});
