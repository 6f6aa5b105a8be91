import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { whileStopped } from '../../../main/db/store/quarantine.ts';
import { backUpAtRest } from '../../../main/backup/backup-remainder.ts';
import { stageBackup } from '../../../main/backup/restore-backup.ts';
import { locateApplication } from '../../../main/platform/application.ts';
import { stagedPart } from '../../../main/platform/swap-folders.ts';
import { signIn } from '../../support/client.ts';
import { compileCache, nodeExecutable, programEntry } from '../../support/node-executable.ts';
import { below, createRandom } from '../../support/random.ts';
import { startServer } from '../../support/server.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { startFullWorkbench } from './full-workbench.ts';
import { wholeState, type WholeState } from './whole-state.ts';

/** Can be increased: `LIMNER_BACKUP_IMAGES=10000 LIMNER_BACKUP_SHAPES=1000000 LIMNER_BACKUP_VIDEO=1`. */
const images = Number(process.env['LIMNER_BACKUP_IMAGES'] ?? 12);
const shapes = Number(process.env['LIMNER_BACKUP_SHAPES'] ?? 600);
const video = process.env['LIMNER_BACKUP_VIDEO'] !== undefined;
/** Number of kills per command, set by `LIMNER_KILLS`. */
const kills = Number(process.env['LIMNER_KILLS'] ?? 4);
const mutations = Number(process.env['LIMNER_MUTATIONS'] ?? 40);
const seed = Number(process.env['LIMNER_SEED'] ?? Date.now() % 1_000_000);

const patienceMs = 180_000 + 2 * shapes;
vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs });

const { version } = locateApplication(import.meta.dirname, import.meta.filename);
const folder = sharedFolder();
const original = join(folder, 'original');
const file = join(folder, 'whole.limner');
const quiet = { progress: () => undefined, checkCancelled: () => undefined };

const server = await startFullWorkbench(original, { images, shapes, video });
await server.stop();
const state = wholeState(original);
const { exitCode, errorOutput } = await runLimner(['backup', '--data-dir', original, '--output', file]);
expect({ exitCode, errorOutput }).toMatchObject({ exitCode: 0 });

function otherWorkbench(): { root: string; before: WholeState } {
  const root = join(temporaryFolder(), 'other');
  cpSync(original, root, { recursive: true });
  writeFileSync(join(root, 'data', 'assets', 'of-this-one'), 'another picture');
  rmSync(join(root, 'formats'), { recursive: true });
  return { root, before: wholeState(root) };
}

async function found(root: string): Promise<WholeState> {
  await whileStopped(root, () => undefined);
  return wholeState(root);
}

describe('a backup of the whole workbench', () => {
  test('holds everything: wiped and restored, the workbench does not differ in a row or a byte', async () => {
    expect(Object.keys(state).length).toBeGreaterThan(images + 20);
    const root = join(temporaryFolder(), 'wiped');
    mkdirSync(root);
    const result = await runLimner(['restore', file, '--data-dir', root, '--json']);
    expect(result).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(result.output)).toMatchObject({ file, entries: expect.any(Number) });
    // Requests name their files by absolute paths, which changed with the data directory.
    const { 'table request': _, ...others } = state;
    expect(wholeState(root)).toMatchObject(others);
    await using server = await startServer({ dataDir: root });
    const client = await signIn(server);
    const exported = await client.good<{ results: { result_url: string | null }[] }>('GET', '/api/requests');
    const urls = exported.results.flatMap(({ result_url: url }) => url ?? []);
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect((await client.bytes(url)).length).toBeGreaterThan(100);
    const { results } = await client.good<{ results: { id: number }[] }>('GET', '/api/tasks');
    for (const { id } of results) {
      const frame = await client.bytes(`/api/tasks/${id}/data/?type=frame&quality=original&number=1`);
      expect(frame.length).toBeGreaterThan(100);
    }
  });

  test('restored in its own place, it equals the original to the row, and the old data is moved aside completely', async () => {
    const { root, before } = otherWorkbench();
    const made = join(root, '..', 'own.limner');
    await whileStopped(root, () => backUpAtRest({ root, version, destination: made, passphrase: null }, quiet));
    writeFileSync(join(root, 'data', 'assets', 'later'), 'later');
    const later = wholeState(root);
    const result = await runLimner(['restore', made, '--data-dir', root, '--json']);
    expect(result).toMatchObject({ exitCode: 0 });
    expect(wholeState(root)).toEqual(before);
    expect(wholeState((JSON.parse(result.output) as { before: string }).before)).toEqual(later);
    expect(existsSync(join(root, 'restore'))).toBe(false);
    expect(existsSync(join(root, 'snapshot'))).toBe(false);
  });

  test('of another version is refused with the rule, and nothing changes', async () => {
    const { root, before } = otherWorkbench();
    const older = join(root, '..', 'older.limner');
    await whileStopped(original, () =>
      backUpAtRest({ root: original, version: '0.0.9', destination: older, passphrase: null }, quiet),
    );
    expect(statSync(older).mode & 0o077).toBe(0);
    const { exitCode, errorOutput } = await runLimner(['restore', older, '--data-dir', root]);
    expect(exitCode).toBe(3);
    expect(errorOutput).toContain('was created by Limner 0.0.9');
    expect(errorOutput).toContain('exactly the version that created the backup');
    expect(await found(root)).toEqual(before);
  });

  test('opens only with its passphrase, and reveals nothing without it', async () => {
    const place = temporaryFolder();
    const sealed = join(place, 'sealed.limner');
    const options = { env: { LIMNER_BACKUP_PASSPHRASE: 'correct horse battery' } };
    const written = await runLimner(['backup', '--data-dir', original, '--output', sealed], options);
    expect(written).toMatchObject({ exitCode: 0 });
    expect(readFileSync(sealed).includes('limner-backup')).toBe(false);
    const root = join(place, 'target');
    mkdirSync(root);
    const missing = await runLimner(['restore', sealed, '--data-dir', root]);
    expect(missing).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('is encrypted') });
    writeFileSync(join(place, 'words'), 'another horse\n');
    const wrong = await runLimner(['restore', sealed, '--data-dir', root, '--passphrase-file', join(place, 'words')]);
    expect(wrong).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('The passphrase is wrong') });
    expect(existsSync(join(root, 'db', 'limner.sqlite'))).toBe(false);
    const right = await runLimner(['restore', sealed, '--data-dir', root], options);
    expect(right).toMatchObject({ exitCode: 0 });
    const { 'table request': _, ...others } = state;
    expect(wholeState(root)).toMatchObject(others);
  });

  test('is not written into a folder that it contains', async () => {
    const inside = join(original, 'data', 'inside.limner');
    const result = await runLimner(['backup', '--data-dir', original, '--output', inside]);
    expect(result).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('Choose another place') });
    expect(existsSync(inside)).toBe(false);
  });

  test('never becomes a task', async () => {
    const result = await runLimner(['create-task', 'wrong', file, '--data-dir', join(temporaryFolder(), 'none')]);
    expect(result).toMatchObject({ exitCode: 2, errorOutput: expect.stringContaining('limner restore') });
  });

  test('is refused for a missing workbench, as source and as target', async () => {
    const nowhere = join(temporaryFolder(), 'mistyped');
    for (const args of [['backup'], ['restore', file]]) {
      const { exitCode, errorOutput } = await runLimner([...args, '--data-dir', nowhere]);
      expect({ exitCode, errorOutput }).toMatchObject({
        exitCode: 3,
        errorOutput: expect.stringContaining('does not exist'),
      });
    }
    expect(existsSync(nowhere)).toBe(false);
  });
});

/** Runs a command and kills it after a random part of its duration; false if it finished first. */
async function killed(args: readonly string[], afterMs: number): Promise<boolean> {
  const child = spawn(nodeExecutable(), [programEntry('cli'), ...args], {
    stdio: 'ignore',
    env: { ...process.env, ...compileCache },
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  await Promise.race([sleep(afterMs), exited]);
  child.kill('SIGKILL');
  const [, signal] = await exited;
  return signal === 'SIGKILL';
}

async function durationOf(args: readonly string[]): Promise<number> {
  const started = performance.now();
  expect(await runLimner(args)).toMatchObject({ exitCode: 0 });
  return performance.now() - started;
}

describe(`killed at random moments (seed ${seed})`, () => {
  test('a backup leaves the previous file or the new one, and the workbench unchanged', async () => {
    const { root, before } = otherWorkbench();
    const target = join(root, '..', 'kept.limner');
    const args = ['backup', '--data-dir', root, '--output', target];
    const takesMs = await durationOf(args);
    const random = createRandom(seed);
    for (let round = 0; round < kills; round += 1) {
      await killed(args, random() * takesMs);
      const scratch = join(root, '..', `look-${round}`);
      mkdirSync(scratch);
      await stageBackup({ root: scratch, file: target, passphrase: null, version }, quiet);
      expect(await found(root)).toEqual(before);
    }
  });

  test('a restore leaves the old workbench or the new one, complete', async () => {
    const { root, before } = otherWorkbench();
    const restored = join(root, '..', 'measured');
    cpSync(root, restored, { recursive: true });
    const takesMs = await durationOf(['restore', file, '--data-dir', restored]);
    const { 'table request': __, ...after } = wholeState(restored);
    const random = createRandom(seed);
    for (let round = 0; round < kills; round += 1) {
      const copy = join(root, '..', `copy-${round}`);
      cpSync(root, copy, { recursive: true });
      await killed(['restore', file, '--data-dir', copy], random() * takesMs);
      const now = await found(copy);
      if ('data/assets/of-this-one' in now) expect(now).toEqual(before);
      else {
        const { 'table request': _, ...rest } = now;
        expect(rest).toEqual(after);
      }
      expect(existsSync(join(copy, 'restore'))).toBe(false);
      rmSync(copy, { recursive: true });
    }
  });
});

test(`of ${mutations} damaged files none is restored in part (seed ${seed})`, async () => {
  const place = temporaryFolder();
  const root = join(place, 'target');
  mkdirSync(root);
  const bytes = readFileSync(file);
  const random = createRandom(seed);
  const damaged = join(place, 'damaged.limner');
  let harmless = 0;
  for (let round = 0; round < mutations; round += 1) {
    writeFileSync(damaged, mutated(bytes, random));
    const outcome = await stageBackup({ root, file: damaged, passphrase: null, version }, quiet).catch(
      (error: unknown) => error,
    );
    if (!(outcome instanceof Error)) {
      // Only padding between entries: all content is there.
      harmless += 1;
      const { 'table request': _, ...others } = state;
      expect(wholeState(dirname(stagedPart(root, 'db')))).toMatchObject(others);
    } else {
      expect(outcome).toMatchObject({
        name: 'AppError',
        message: expect.stringMatching(/Nothing was changed\.|version/),
      });
      expect(readdirSync(root)).toEqual([]);
    }
  }
  expect(harmless).toBeLessThan(mutations / 2);
});

function mutated(bytes: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = below(random, bytes.length);
  const kind = below(random, 5);
  if (kind === 0) return copy.subarray(0, at);
  if (kind === 1) copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8));
  if (kind === 2) copy.fill(0, at, Math.min(at + 200, copy.length));
  if (kind === 3) return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 512)]);
  if (kind === 4) copy.copy(copy, at, below(random, bytes.length), bytes.length);
  return copy;
}
