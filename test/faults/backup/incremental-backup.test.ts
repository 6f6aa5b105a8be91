import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { removeUnusedObjects } from '../../../main/backup/backup-folder.ts';
import { stageBackup } from '../../../main/backup/restore-backup.ts';
import { locateApplication } from '../../../main/platform/application.ts';
import { stagedPart } from '../../../main/platform/swap-folders.ts';
import { signIn } from '../../support/client.ts';
import { compileCache, nodeExecutable, programEntry, projectRoot } from '../../support/node-executable.ts';
import { below, createRandom } from '../../support/random.ts';
import { startServer } from '../../support/server.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { runHere } from '../../integration/cli/support/run-here.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { startFullWorkbench } from './full-workbench.ts';
import { wholeState, type WholeState } from './whole-state.ts';

const mutations = Number(process.env['LIMNER_MUTATIONS'] ?? 150);
const kills = Number(process.env['LIMNER_KILLS'] ?? 3);
const seed = Number(process.env['LIMNER_SEED'] ?? 20261125);

const { version } = locateApplication(join(projectRoot, 'main'), join(projectRoot, 'main', 'cli.ts'));
const quiet = { progress: () => undefined, checkCancelled: () => undefined };
const original = join(sharedFolder(), 'original');

const server = await startFullWorkbench(original, { images: 10, shapes: 300 });
await server.stop();
const state = wholeState(original);

function without(whole: WholeState): WholeState {
  const { 'table request': _, ...others } = whole;
  return others;
}

const argumentsFor = (file: string) => ['backup', '--incremental', '--json', '--data-dir', original, '--output', file];
const backUp = (file: string) => runHere(argumentsFor(file));
const backUpSealed = (file: string, passphrase: string) =>
  runLimner(argumentsFor(file), { env: { LIMNER_BACKUP_PASSPHRASE: passphrase } });

async function requireWhole(file: string, passphrase: string | null = null): Promise<void> {
  const root = join(temporaryFolder(), 'target');
  mkdirSync(root);
  await stageBackup({ root, file, passphrase, version }, quiet);
  expect(without(wholeState(dirname(stagedPart(root, 'db'))))).toMatchObject(without(state));
}

const objectsIn = (folder: string): string[] =>
  readdirSync(join(folder, 'limner-objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

test('a second backup writes no media again, each of them is whole, and what lacks its objects is refused', async () => {
  const folder = temporaryFolder();
  const first = join(folder, 'first.limner');
  const second = join(folder, 'second.limner');
  const one = JSON.parse((await backUp(first)).output) as { newBytes: number; entries: number };
  const before = objectsIn(folder).map((file) => [file, statSync(file).ino]);
  const two = JSON.parse((await backUp(second)).output) as { newBytes: number; entries: number };
  expect(objectsIn(folder).map((file) => [file, statSync(file).ino])).toEqual(before);
  expect(two.entries).toBe(one.entries);
  expect(two.newBytes).toBe(statSync(second).size);
  expect(one.newBytes).toBeGreaterThan(two.newBytes);
  await requireWhole(first);
  await requireWhole(second);

  // The command line restores immediately.
  const root = join(folder, 'restored');
  mkdirSync(root);
  expect(await runLimner(['restore', second, '--data-dir', root])).toMatchObject({ exitCode: 0 });
  expect(without(wholeState(root))).toMatchObject(without(state));

  const alone = join(temporaryFolder(), 'alone.limner');
  cpSync(second, alone);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const refused = await runLimner(['restore', alone, '--data-dir', empty]);
  expect(refused).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('This backup is incremental') });
  expect(readdirSync(join(empty, 'db'))).toEqual([]);

  // The next backup replaces a damaged object with the data of the workbench.
  const [object = ''] = objectsIn(folder);
  writeFileSync(object, 'damaged');
  await expect(requireWhole(first)).rejects.toThrow(/" in .* is damaged\. Nothing was changed/);
  await backUp(second);
  await requireWhole(first);
});

test('with a passphrase neither bytes nor names reveal anything, and another passphrase has its own objects', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'sealed.limner');
  await backUpSealed(file, 'correct horse');
  const objects = objectsIn(folder);
  const picture = Object.entries(state).find(([name]) => /^data\/\d+\/raw\//.test(name));
  expect(objects.some((path) => path.includes(picture?.[1] ?? ''))).toBe(false);
  expect(objects.every((path) => readFileSync(path).subarray(0, 13).toString('latin1') === 'LIMNER-OBJECT')).toBe(true);
  await backUpSealed(join(folder, 'again.limner'), 'correct horse');
  expect(objectsIn(folder)).toEqual(objects);
  await requireWhole(file, 'correct horse');
  await expect(requireWhole(file, 'another horse')).rejects.toThrow('The passphrase is wrong');
  await backUpSealed(join(folder, 'other.limner'), 'another horse');
  expect(objectsIn(folder).length).toBe(2 * objects.length);
});

test('objects that no backup of the folder refers to go, and those of the others stay', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'kept.limner');
  await backUp(file);
  const objects = objectsIn(folder);
  const unused = join(folder, 'limner-objects', 'plain', 'ab', 'ab'.repeat(32));
  mkdirSync(dirname(unused), { recursive: true });
  writeFileSync(unused, 'of a backup that was deleted');
  for (const one of [unused, ...objects]) utimesSync(one, new Date('2026-01-01'), new Date('2026-01-01'));
  writeFileSync(join(folder, 'broken.limner'), readFileSync(file).subarray(0, 5000));
  await removeUnusedObjects(folder, null);
  expect(existsSync(unused)).toBe(true);
  rmSync(join(folder, 'broken.limner'));
  await removeUnusedObjects(folder, null);
  expect(objectsIn(folder)).toEqual(objects);
  await requireWhole(file);
});

test(`killed at random moments, the backup that was there is whole (seed ${seed})`, async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'kept.limner');
  const started = performance.now();
  await runLimner(argumentsFor(file));
  const takesMs = performance.now() - started;
  const random = createRandom(seed);
  for (let round = 0; round < kills; round += 1) {
    // Each time, a backup rewrites the object and is killed.
    const [object = ''] = objectsIn(folder);
    writeFileSync(object, 'damaged');
    const args = ['backup', '--incremental', '--data-dir', original, '--output', join(folder, `next-${round}.limner`)];
    const child = spawn(nodeExecutable(), [programEntry('cli'), ...args], {
      stdio: 'ignore',
      env: { ...process.env, ...compileCache },
    });
    const exited = once(child, 'exit');
    await Promise.race([sleep(takesMs * (0.4 + 0.6 * random())), exited]);
    child.kill('SIGKILL');
    await exited;
    const next = join(folder, `next-${round}.limner`);
    if (existsSync(next)) await requireWhole(next);
    await backUp(file);
    await requireWhole(file);
  }
});

test(`of ${mutations} damaged incremental backups none is restored in part (seed ${seed})`, async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'whole.limner');
  await backUp(file);
  const objects = objectsIn(folder);
  const random = createRandom(seed);
  const root = join(folder, 'target');
  mkdirSync(root);
  let harmless = 0;
  for (let round = 0; round < mutations; round += 1) {
    const victim = round % 2 === 0 ? file : (objects[below(random, objects.length)] ?? file);
    const bytes = readFileSync(victim);
    if (victim !== file && random() < 0.2) renameSync(victim, `${victim}.away`);
    else writeFileSync(victim, mutated(bytes, random));
    const outcome = await stageBackup({ root, file, passphrase: null, version }, quiet).catch(
      (error: unknown) => error,
    );
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({
        name: 'AppError',
        message: expect.stringMatching(/Nothing was changed\.|version/),
      });
      expect(readdirSync(root)).toEqual([]);
    } else {
      // The change affected only padding or had no effect, so everything must be there.
      harmless += 1;
      expect(without(wholeState(dirname(stagedPart(root, 'db'))))).toMatchObject(without(state));
      rmSync(join(root, 'restore'), { recursive: true });
    }
    rmSync(`${victim}.away`, { force: true });
    writeFileSync(victim, bytes);
  }
  expect(harmless).toBeLessThan(mutations / 2);
});

function mutated(bytes: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = below(random, bytes.length);
  const kind = below(random, 4);
  if (kind === 0) return copy.subarray(0, at);
  if (kind === 1) copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8));
  if (kind === 2) copy.fill(0, at, Math.min(at + 200, copy.length));
  if (kind === 3) return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 512)]);
  return copy;
}

test('the schedule encrypts with a sealed passphrase, and writes only new data', async () => {
  const folder = temporaryFolder();
  const root = join(folder, 'workbench');
  const backups = join(folder, 'backups');
  cpSync(original, root, { recursive: true });
  mkdirSync(backups);
  const server = await startServer({ dataDir: root });
  const client = await signIn(server);
  const settings = { folder: backups, every: 'day', keep: 2, incremental: true, passphrase: 'correct horse' };
  const changed = await client.good('PATCH', '/api/limner/backups', { json: settings });
  expect(changed).toMatchObject({ encrypts: true, settings: { incremental: true } });
  expect(JSON.stringify(changed)).not.toContain('correct horse');
  expect(readFileSync(join(root, 'keys', 'backup-passphrase'), 'utf8')).not.toContain('correct horse');
  await server.kill9();
  const again = await server.restart();
  try {
    const second = await signIn(again);
    const look = () => second.good<{ last: { succeeded: boolean; file: string } | null }>('GET', '/api/limner/backups');
    await expect.poll(async () => (await look()).last?.succeeded).toBe(true);
    const file = (await look()).last?.file ?? '';
    expect(readdirSync(join(backups, 'limner-objects'))).toEqual([expect.stringMatching(/^sealed-/)]);
    const target = join(folder, 'target');
    mkdirSync(target);
    await stageBackup({ root: target, file, passphrase: 'correct horse', version }, quiet);
  } finally {
    await again.stop();
  }
});
