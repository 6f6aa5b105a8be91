import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Store } from '../../main/db/store.ts';
import { checkpointStore, keepCheckpoints, type CheckpointJob } from '../../main/db/store/checkpoints.ts';
import { createLogSync, type LogSync } from '../../main/db/log-sync.ts';
import { createSilentLogger } from '../../main/platform/log.ts';
import { createWriteLock, createWriteLockState } from '../../main/platform/write-lock.ts';
import { sharedWorkers } from '../support/shared-workers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let file: string;
let logSync: LogSync;
let database: Store;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'limner.sqlite');
});
afterEach(async () => {
  await logSync.close();
  database.close();
});

function open(syncFile?: (descriptor: number) => Promise<void>): void {
  logSync = createLogSync(`${file}-wal`, checkpoints, syncFile);
  database = new Store(file, { checkpointed: true, logSync });
  database.exec('CREATE TABLE box (x INTEGER) STRICT');
}

const add = (x: number) => database.query('INSERT INTO box VALUES (?)').run(x);
const level = () => database.pragma('synchronous', { simple: true });

/** Never checkpoints. */
const checkpoints = { look: () => undefined, ready: () => undefined };

/** A disk that syncs only on command. */
function createSlowDisk() {
  const syncs: { readonly done: () => void; readonly fail: (error: Error) => void }[] = [];
  const syncFile = () => new Promise<void>((done, fail) => syncs.push({ done, fail }));
  return { syncs, syncFile };
}

const stateOf = async (promise: Promise<unknown>) => {
  const waiting = Symbol('waiting');
  await new Promise(setImmediate);
  return Promise.race([promise, waiting]).then(
    (value) => (value === waiting ? 'waiting' : 'done'),
    () => 'failed',
  );
};

describe('a commit with a deferred sync', () => {
  test('is visible at once, and durable after the sync', async () => {
    const disk = createSlowDisk();
    open(disk.syncFile);
    database.syncLater(() => add(1));
    const kept = database.onDisk();
    expect(database.query('SELECT x FROM box').pluck().all()).toEqual([1]);
    expect(await stateOf(kept)).toBe('waiting');
    disk.syncs[0]?.done();
    await kept;
  });

  test('during a sync waits for the next one, together with others', async () => {
    const disk = createSlowDisk();
    open(disk.syncFile);
    database.syncLater(() => add(1));
    const first = database.onDisk();
    database.syncLater(() => add(2));
    const second = database.onDisk();
    database.syncLater(() => add(3));
    const third = database.onDisk();
    disk.syncs[0]?.done();
    await first;
    expect(await stateOf(second)).toBe('waiting');
    expect(await stateOf(third)).toBe('waiting');
    disk.syncs[1]?.done();
    await Promise.all([second, third]);
    expect(disk.syncs.length).toBe(2);
  });

  test('blocks no one who has nothing to wait for', async () => {
    const disk = createSlowDisk();
    open(disk.syncFile);
    await database.onDisk();
    expect(disk.syncs.length).toBe(0);
  });

  test('fails permanently after a failed sync, because a second sync would succeed without writing', async () => {
    const disk = createSlowDisk();
    open(disk.syncFile);
    database.syncLater(() => add(1));
    const kept = database.onDisk();
    disk.syncs[0]?.fail(new Error('EIO'));
    await expect(kept).rejects.toThrow('Cannot write a change to the disk');
    await expect(database.onDisk()).rejects.toThrow('Cannot write a change to the disk');
  });

  test('keeps the durability of other commits, also after a failed one', () => {
    open();
    const fail = () => database.syncLater(() => database.query('INSERT INTO box VALUES (?)').run('no number'));
    expect(fail).toThrow();
    expect(level()).toBe(2);
    database.write(() => database.syncLater(() => add(1)));
    expect(level()).toBe(2);
  });
});

describe('the write-ahead log', () => {
  const hold = () => new Int32Array(new SharedArrayBuffer(4));
  const holdOf = (job: unknown) => (job as CheckpointJob).hold;

  test('is checkpointed only by the scheduler', () => {
    open();
    database.exec('CREATE TABLE blob (bytes BLOB) STRICT');
    const insert = database.query('INSERT INTO blob VALUES (zeroblob(4000))');
    database.write(() => Array.from({ length: 2000 }, () => insert.run()));
    const pages = 2000 * 4096;
    expect(statSync(file).size).toBeLessThan(pages);
    checkpointStore({ file, hold: hold() });
    expect(statSync(file).size).toBeGreaterThan(pages);
  });

  test('is reused from its start during continuous writes', async () => {
    const turns = createWriteLockState();
    const checkpoints = keepCheckpoints(file, turns, sharedWorkers, createSilentLogger());
    logSync = createLogSync(`${file}-wal`, checkpoints);
    database = new Store(file, { checkpointed: true, turns, logSync });
    database.exec('CREATE TABLE page (id INTEGER PRIMARY KEY, bytes BLOB) STRICT');
    const write = database.query('INSERT OR REPLACE INTO page VALUES (?, randomblob(4000))');
    const size = (): number => statSync(`${file}-wal`).size;
    const grows = async (): Promise<boolean> => {
      const before = size();
      for (let at = 0; at < 1000; at += 1) {
        await database.ready();
        database.syncLater(() => database.write(() => [0, 1, 2, 3].map((page) => write.run(page * 50 + (at % 50)))));
        await database.onDisk();
      }
      return size() > before;
    };
    // On a busy machine, the thread of the checkpoints starts late.
    while (await grows()) expect(size()).toBeLessThan(400e6);
    await checkpoints.stop();
  });

  test('does not block anyone while the disk does not sync its last pages', async () => {
    open();
    const turns = createWriteLockState();
    const workers = { run: (_: string, job: unknown) => new Promise<never>(() => Atomics.store(holdOf(job), 0, 1)) };
    const checkpoints = keepCheckpoints(file, turns, workers, createSilentLogger());
    expect(checkpoints.ready()).toBeUndefined();
    const withWriteLock = createWriteLock(turns);
    for (let write = 0; write < 500; write += 1) withWriteLock(() => undefined);
    checkpoints.look();
    expect(await checkpoints.ready()).toBe('timed-out');
  });
});
