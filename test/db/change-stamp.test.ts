import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createChangeStamp } from '../../main/db/change-stamp.ts';
import { openDatabase } from '../../main/db/open.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();
const own = openDatabase(join(folder, 'store.sqlite'));
own.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY); CREATE TABLE part (thing REFERENCES thing ON DELETE CASCADE)');
const other = openDatabase(join(folder, 'store.sqlite'));
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
  own.prepare('SELECT * FROM thing').all();
  other.prepare('SELECT * FROM thing').all();
  expect(stamp()).toEqual(before);
});

test('every write changes it: own ones, cascades, rolled back ones, and those of another connection', () => {
  changes(() => void own.prepare('INSERT INTO thing VALUES (1), (2)').run());
  changes(() => void other.prepare('INSERT INTO part VALUES (1)').run());
  changes(() => void other.prepare('UPDATE part SET thing = 2').run());
  changes(() => void own.prepare('DELETE FROM thing WHERE id = 1').run());
  changes(() => void own.prepare('DELETE FROM thing').run());
  changes(() => {
    own.exec('BEGIN');
    own.prepare('INSERT INTO thing VALUES (3)').run();
    own.exec('ROLLBACK');
  });
});
