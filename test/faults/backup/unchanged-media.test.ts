import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { stageBackup } from '../../../main/backup/restore-backup.ts';
import { removeSnapshot, takeSnapshot } from '../../../main/backup/snapshot.ts';
import { writeBackup, type WrittenBackup } from '../../../main/backup/write-backup.ts';
import { locateApplication } from '../../../main/platform/application.ts';
import { stagedPart } from '../../../main/platform/swap-folders.ts';
import { programEntry, projectRoot } from '../../support/node-executable.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { startFullWorkbench } from './full-workbench.ts';
import { wholeState } from './whole-state.ts';

const { version } = locateApplication(join(projectRoot, 'main'), programEntry('cli'));
const quiet = { progress: () => undefined, checkCancelled: () => undefined };
const original = join(sharedFolder(), 'original');
const server = await startFullWorkbench(original, { images: 12, shapes: 20 });
await server.stop();

let folder: string;
let root: string;
let count: number;

/** Media of the data directory, with times in the past as those of a used workbench. */
const media = (): string[] =>
  readdirSync(join(root, 'data'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/cache(\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const images = (): string[] => media().filter((path) => path.endsWith('.jpg'));
const old = new Date('2026-01-01T00:00:00Z');

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder, 'workbench');
  mkdirSync(join(folder, 'backups'));
  cpSync(original, root, { recursive: true });
  for (const path of media()) utimesSync(path, old, old);
  count = 0;
});

/** Like the service: from a snapshot with hard links. */
async function backUp(passphrase: string | null = null): Promise<WrittenBackup> {
  const destination = join(folder, 'backups', `${(count += 1)}.limner`);
  try {
    await takeSnapshot({ root, keepsFiles: true }, quiet);
    return await writeBackup({ root, from: 'snapshot', version, destination, passphrase, incremental: true }, quiet);
  } finally {
    await removeSnapshot(root);
  }
}

async function requireWhole({ file }: WrittenBackup, passphrase: string | null = null): Promise<void> {
  const target = join(folder, `target-${count}`);
  mkdirSync(target);
  await stageBackup({ root: target, file, passphrase, version }, quiet);
  const filesOf = (state: object) => Object.entries(state).filter(([name]) => name.startsWith('data/'));
  expect(filesOf(wholeState(dirname(stagedPart(target, 'db'))))).toEqual(filesOf(wholeState(root)));
}

const objects = (): string[] =>
  readdirSync(join(folder, 'backups', 'limner-objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const indexFiles = (): string[] =>
  readdirSync(join(root, 'backup-index')).map((name) => join(root, 'backup-index', name));

test.each([
  ['plain', null],
  ['encrypted', 'correct horse'],
])('an incremental backup reads only files that changed since the last one (%s)', async (_, passphrase) => {
  expect((await backUp(passphrase)).readFiles).toBe(media().length);
  expect((await backUp(passphrase)).readFiles).toBe(0);
  const [first = ''] = images();
  writeFileSync(first, 'another image');
  utimesSync(first, old, old);
  const third = await backUp(passphrase);
  expect(third.readFiles).toBe(1);
  await requireWhole(third, passphrase);
  expect((await backUp(passphrase)).readFiles).toBe(0);
});

test('a backup of a workbench at rest knows the files too', async () => {
  const write = async () => {
    await takeSnapshot({ root, keepsFiles: false }, quiet);
    const destination = join(folder, 'backups', 'rest.limner');
    return writeBackup({ root, from: 'place', version, destination, passphrase: null, incremental: true }, quiet);
  };
  expect((await write()).readFiles).toBe(media().length);
  expect((await write()).readFiles).toBe(0);
  expect((await backUp()).readFiles).toBe(0);
  expect((await write()).readFiles).toBe(0);
});

test.each([
  ['a new file of the same name', (path: string) => rmSync(path)],
  ['the same file with other bytes', () => undefined],
])('notices %s with the same size and modification time', async (_, prepare) => {
  await backUp();
  const [path = ''] = images();
  const bytes = readFileSync(path);
  prepare(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 255;
  writeFileSync(path, bytes);
  utimesSync(path, old, old);
  expect(lstatSync(path).mtimeMs).toBe(old.getTime());
  const next = await backUp();
  expect(next.readFiles).toBe(1);
  await requireWhole(next);
});

test('a copy of the data directory on another disk or in another folder is read completely', async () => {
  await backUp();
  const moved = join(folder, 'moved');
  cpSync(root, moved, { recursive: true, preserveTimestamps: true });
  rmSync(root, { recursive: true });
  root = moved;
  const next = await backUp();
  expect(next.readFiles).toBe(media().length);
  await requireWhole(next);
});

test('a missing or damaged index costs only time', async () => {
  await backUp();
  const [index = ''] = indexFiles();
  const text = readFileSync(index, 'utf8');
  const wrong = text.replace(/"sha256":"[0-9a-f]{8}/, '"sha256":"00000000');
  expect(wrong).not.toBe(text);
  for (const damage of [wrong, text.slice(0, 300), '', 'x'.repeat(5000)]) {
    writeFileSync(index, damage);
    const next = await backUp();
    expect(next.readFiles).toBe(media().length);
    await requireWhole(next);
  }
  rmSync(join(root, 'backup-index'), { recursive: true });
  expect((await backUp()).readFiles).toBe(media().length);
});

test('writes objects again that are missing, truncated or changed in the backup folder', async () => {
  await backUp();
  const [missing = '', truncated = '', changed = ''] = objects();
  rmSync(missing);
  writeFileSync(truncated, readFileSync(truncated).subarray(1));
  const bytes = readFileSync(changed);
  bytes[0] = (bytes[0] ?? 0) ^ 255;
  writeFileSync(changed, bytes);
  const next = await backUp();
  expect(next.readFiles).toBe(3);
  expect(existsSync(missing)).toBe(true);
  await requireWhole(next);
});

test('objects are read back again when their last check is a week ago, or dated in the future', async () => {
  await backUp();
  const [index = ''] = indexFiles();
  const program = (days: number) => `
    const { readMediaIndex, writeMediaIndex } = await import('${join(projectRoot, 'main/backup/media-index.ts')}');
    const store = '${join(folder, 'backups', 'limner-objects', 'plain')}';
    const index = readMediaIndex('${root}', store);
    for (const [sha256, facts] of index.objects)
      index.objects.set(sha256, { ...facts, checkedMs: facts.checkedMs + ${days} * 86400000 });
    writeMediaIndex('${root}', store, index);`;
  for (const days of [-6, -8, 3]) {
    execFileSync(process.execPath, ['--input-type=module', '-e', program(days)]);
    expect(existsSync(index)).toBe(true);
    const next = await backUp();
    expect(next.readFiles).toBe(days === -6 ? 0 : media().length);
  }
});
