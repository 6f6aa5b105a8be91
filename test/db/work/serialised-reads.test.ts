import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Store } from '../../../main/db/store.ts';
import { createSerialisedReads } from '../../../main/work/annotations/serialised-reads.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let own: Store;
let other: Store;
let reads: ReturnType<typeof createSerialisedReads>;
let made: number;
beforeEach(() => {
  folder = temporaryFolder();
  own = new Store(join(folder, 'store.sqlite'));
  own.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY)');
  other = new Store(join(folder, 'store.sqlite'));
  reads = createSerialisedReads(own);
  made = 0;
});
afterEach(() => {
  own.close();
  other.close();
});

const add = (database: Store) => database.query('INSERT INTO thing DEFAULT VALUES').run();
const halves = ['{"of":"', 'ä'.repeat(40_000), '"}'];
const read = (job: number) => String(reads.read(`job ${job}`, [job], () => [String((made += 1))]));

test('an answer that is too large for the cache is sent from a file, which is removed afterwards', async () => {
  const small = createSerialisedReads(own, 4 * 64 * 1024);
  const ask = () => small.read('job 1', [1], () => ((made += 1), halves));
  const before = readdirSync(folder);
  const [first, second] = [ask(), ask()];
  expect([first, second].map((one) => one instanceof ReadableStream)).toEqual([true, true]);
  expect(await new Response(first as ReadableStream).text()).toBe(halves.join(''));
  await (second as ReadableStream).cancel();
  const failing = () =>
    small.read('job 2', [2], function* () {
      yield* halves;
      throw new Error('The store is gone');
    });
  expect(failing).toThrow('The store is gone');
  expect([made, readdirSync(folder)]).toEqual([2, before]);
});

describe('a cached answer', () => {
  test('is reused while nothing has changed', () => {
    expect([read(1), read(1), read(2), read(1)]).toEqual(['1', '1', '2', '1']);
  });

  test('is reused after a change of another job, and not after one of its job', () => {
    read(1);
    read(2);
    reads.change([2], () => add(own));
    expect([read(1), read(2)]).toEqual(['1', '3']);
  });

  test.each([
    ['this connection', () => own],
    ['another connection', () => other],
  ])('is not reused after %s wrote anything else', (_name, database) => {
    expect(read(1)).toBe('1');
    add(database());
    expect(read(1)).toBe('2');
  });

  test('is not reused after another connection wrote just before a change of another job', () => {
    read(1);
    add(other);
    reads.change([2], () => add(own));
    expect(read(1)).toBe('2');
  });
});
