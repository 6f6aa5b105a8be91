import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeShapes } from '../../bench/support/shapes.ts';
import { ApiError, signIn } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { storeProblems } from '../crash/store-checks.ts';

let directory = '';
let dataDir = '';
let server: RunningServer | undefined;
const storeOf = (root: string) => join(root, 'db', 'limner.sqlite');

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'limner-store-'));
  dataDir = join(directory, 'data');
});
afterEach(async () => {
  await server?.kill9();
  server = undefined;
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function start(root = dataDir): Promise<RunningServer> {
  server = await startServer({ dataDir: root });
  return server;
}

const serve = (...more: string[]) =>
  runLimner(['serve', '--data-dir', dataDir, '--port', '0', '--dashboard-port', '0', '--no-open', ...more]);
const store = (...args: string[]) => runLimner(['store', ...args, '--data-dir', dataDir]);

const madeIn = sharedFolder();

/** A stopped workbench with a task of two images and 400 shapes, created once. */
let made: Promise<{ root: string; id: number; image: Buffer | Uint8Array | undefined }> | undefined;
async function makeWorkbench() {
  const root = join(madeIn, 'data');
  const running = await startServer({ dataDir: root });
  const client = await signIn(running);
  const images = await makeImages(2);
  const { id } = await client.taskWithImages({ labels: [{ name: 'thing' }] }, images);
  const [label] = await client.labels(id);
  await client.changeAnnotations('tasks', id, 'create', { shapes: makeShapes(400, label?.id ?? 0) });
  await running.stop();
  return { root, id, image: images[0]?.bytes };
}

/** Copies it to the data directory. Returns the id of the task and its first image. */
async function workbenchWithATask() {
  made ??= makeWorkbench();
  const { root, ...task } = await made;
  cpSync(root, dataDir, { recursive: true, preserveTimestamps: true });
  return task;
}

/** Every file below a folder with a hash of its bytes. Reading a store leaves an empty log and its index beside it. */
function filesOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('logs') && !/-(wal|shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]));
}

async function expectRefused(says: RegExp): Promise<string> {
  const before = filesOf(dataDir);
  const refused = await serve();
  expect(refused.exitCode, refused.errorOutput).toBe(3);
  expect(refused.output).toBe('');
  expect(refused.errorOutput).toMatch(says);
  expect(filesOf(dataDir)).toEqual(before);
  return refused.errorOutput;
}

function damage(file = storeOf(dataDir)): void {
  const bytes = readFileSync(file);
  for (let page = 5; page * 4096 < bytes.length; page += 2) bytes.fill(0xa5, page * 4096, page * 4096 + 4096);
  writeFileSync(file, bytes);
}

/** Waits for the copy that a start creates of a store of an earlier version. */
async function copyMade(root = dataDir): Promise<string> {
  for (;;) {
    const folder = join(root, 'db', 'copies');
    const [name] = existsSync(folder) ? readdirSync(folder).filter((one) => one.endsWith('.sqlite')) : [];
    if (name !== undefined) return join(folder, name);
    await sleep(20);
  }
}

describe('a missing store', () => {
  it.each([
    ['missing', () => rmSync(storeOf(dataDir))],
    ['empty', () => truncateSync(storeOf(dataDir))],
  ] as const)('is not replaced by a new one: %s', async (word, lose) => {
    const { id } = await workbenchWithATask();
    lose();
    const says = await expectRefused(new RegExp(`is ${word}, but the data directory holds the images of 1 task`));
    expect(says).toContain('nothing was changed');
    expect(says).toContain(`limner store reset --data-dir ${dataDir}`);
    expect(existsSync(join(dataDir, 'data', String(id), 'raw'))).toBe(true);
  });

  it('can be replaced by an empty workbench: everything is moved aside, and opens there', async () => {
    const { id, image } = await workbenchWithATask();
    const whole = readFileSync(storeOf(dataDir));
    rmSync(storeOf(dataDir));
    const anew = await store('reset');
    expect(anew.exitCode, anew.errorOutput).toBe(0);
    const folder = join(dataDir, 'set-aside', readdirSync(join(dataDir, 'set-aside'))[0] ?? '');
    expect(anew.output).toContain(folder);
    expect((await (await signIn(await start())).good<{ count: number }>('GET', '/api/tasks')).count).toBe(0);
    await server?.stop();

    writeFileSync(storeOf(folder), whole);
    const again = await signIn(await start(folder));
    expect(await again.bytes(`/api/tasks/${id}/data/?type=frame&quality=original&number=0`)).toEqual(image);
  });

  it('is not missed on the first start', async () => {
    writeFileSync(join(directory, 'x'), '');
    await start();
    expect(storeProblems(dataDir)).toEqual([]);
  });

  it('is opened although its first changes are only in its log', async () => {
    const client = await signIn(await start());
    await client.createTask({ name: 'kept', labels: [{ name: 'thing' }] });
    await server?.kill9();
    const again = await signIn(await start());
    expect((await again.good<{ count: number }>('GET', '/api/tasks')).count).toBe(1);
  });
});

describe('an incompatible store', () => {
  it.each([
    ['no application id', 0],
    ['another application id', 7],
  ])('is refused unchanged: a database with %s', async (_what, id) => {
    await start();
    await server?.stop();
    for (const name of readdirSync(join(dataDir, 'db'))) rmSync(join(dataDir, 'db', name), { recursive: true });
    const other = new Database(storeOf(dataDir));
    other.pragma(`application_id = ${id}`);
    other.exec('CREATE TABLE user (name TEXT)');
    other.close();
    await expectRefused(/is a database of another program.*nothing was changed/);
    expect(readdirSync(join(dataDir, 'db'))).toEqual(['limner.sqlite']);
  });

  it.each([
    [999, /newer Limner \(schema 999/],
    [27, /before the first release \(schema 27; this one opens schemas from 28 on/],
  ])('is refused unchanged with the same code if it has the schema %i', async (schema, words) => {
    await workbenchWithATask();
    const other = new Database(storeOf(dataDir));
    other.pragma(`user_version = ${schema}`);
    other.close();
    const refused = await serve();
    expect(refused.exitCode).toBe(3);
    expect(refused.errorOutput).toMatch(words);
    expect(readdirSync(join(dataDir, 'db')).filter((name) => name.includes('.before-'))).toEqual([]);
  });
});

describe('a damaged store', () => {
  it('is detected at the start, and replaced by a copy', async () => {
    const { id } = await workbenchWithATask();
    await start();
    await copyMade();
    await server?.stop();
    damage();
    const damaged = readFileSync(storeOf(dataDir));
    const says = await expectRefused(/is damaged \(.*nothing was changed/);
    const name = /limner store restore (\S+)/.exec(says)?.[1] ?? '';

    const restored = await store('restore', name);
    expect(restored.exitCode, restored.errorOutput).toBe(0);
    const folder = join(dataDir, 'set-aside', readdirSync(join(dataDir, 'set-aside'))[0] ?? '');
    expect(readFileSync(storeOf(folder)).equals(damaged)).toBe(true);
    const client = await signIn(await start());
    expect((await client.annotations('tasks', id)).shapes).toHaveLength(400);
    expect(storeProblems(dataDir)).toEqual([]);
  });

  it('with a damaged header is refused, too', async () => {
    await workbenchWithATask();
    const bytes = readFileSync(storeOf(dataDir));
    writeFileSync(storeOf(dataDir), bytes.fill(0, 0, 4096));
    await expectRefused(/does not start like a database/);
  });

  it('can be opened as it is, and unreadable parts answer with a sentence', async () => {
    const { id } = await workbenchWithATask();
    const database = new Database(storeOf(dataDir));
    const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'shape'").pluck().get() as number;
    database.close();
    const bytes = readFileSync(storeOf(dataDir));
    writeFileSync(storeOf(dataDir), bytes.fill(0xa5, (root - 1) * 4096, root * 4096));
    await expectRefused(/limner serve --open-damaged/);
    expect((await store('check')).exitCode).toBe(3);

    server = await startServer({ dataDir, more: ['--open-damaged'] });
    const client = await signIn(server);
    expect((await client.task(id)).id).toBe(id);
    const error = await client.annotations('tasks', id).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ApiError);
    expect(JSON.stringify((error as ApiError).body)).toMatch(/store of Limner is damaged.*Nothing was changed/);
  });

  it('is checked after a kill, and not after a clean stop', async () => {
    await start();
    await server?.stop();
    await start();
    expect(server?.errorOutput()).not.toContain('checking it');
    await server?.kill9();
    await start();
    expect(server?.errorOutput()).toContain('The store is intact');
  });
});

describe('copies of the store', () => {
  it('are made daily, complete and readable by their owner only', async () => {
    const { id } = await workbenchWithATask();
    await start();
    const copy = await copyMade();
    await server?.stop();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const database = new Database(copy, { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.prepare('SELECT count(*) FROM shape').pluck().get()).toBe(400);
    expect(database.prepare('SELECT id FROM task').pluck().get()).toBe(id);
    database.close();
    const { output } = await store('copies');
    expect(output.split('\n').filter((line) => line.includes('.sqlite'))).toHaveLength(1);
    await start();
    await server?.stop();
    expect(readdirSync(join(dataDir, 'db', 'copies'))).toHaveLength(1);
  });

  it('replace nothing in the folders of later tasks', async () => {
    const { id } = await workbenchWithATask();
    await start();
    await copyMade();
    const client = await signIn(server as RunningServer);
    const later = await client.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(1));
    expect(later.id).toBe(id + 1);
    await server?.stop();
    expect((await store('restore', 'newest')).exitCode).toBe(0);

    const images = filesOf(join(dataDir, 'data', String(later.id)));
    const again = await signIn(await start());
    const next = await again.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(1));
    expect(next.id).toBe(later.id + 1);
    expect(filesOf(join(dataDir, 'data', String(later.id)))).toEqual(images);
  });

  it('are not restored while Limner runs, nor under an unknown name', async () => {
    await start();
    expect((await store('restore', 'newest')).exitCode).toBe(3);
    await server?.stop();
    const unknown = await store('restore', 'newest');
    expect(unknown.exitCode).toBe(3);
    expect(unknown.errorOutput).toContain('There are no copies yet');
  });
});

it('the store is readable by its owner only, also one that was not before', async () => {
  await start();
  const modes = () =>
    readdirSync(join(dataDir, 'db')).map((name) => (statSync(join(dataDir, 'db', name)).mode & 0o777).toString(8));
  expect(new Set(modes())).toEqual(new Set(['600']));
  await server?.stop();
  chmodSync(storeOf(dataDir), 0o644);
  await start();
  expect(statSync(storeOf(dataDir)).mode & 0o777).toBe(0o600);
});
