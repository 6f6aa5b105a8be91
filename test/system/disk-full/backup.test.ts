import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBackup } from '../../../main/backup/read-backup.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { startFullWorkbench } from '../../faults/backup/full-workbench.ts';
import { wholeState, type WholeState } from '../../faults/backup/whole-state.ts';
import { createRandom } from '../../support/random.ts';
import { createSmallDisk, smallDiskProblem, type SmallDisk } from './small-disk.ts';

const problem = smallDiskProblem();
if (problem !== null) throw new Error(problem);

/** Number of times that the disk is filled, set by `LIMNER_FILLS`. */
const fills = Number(process.env['LIMNER_FILLS'] ?? 3);
const seed = Number(process.env['LIMNER_SEED'] ?? Date.now() % 1_000_000);
const random = createRandom(seed);

let disk: SmallDisk;
let data = '';
let file = '';
let state: WholeState = {};

beforeEach(async () => {
  disk = createSmallDisk(48);
  data = join(disk.path, 'data');
  file = join(disk.path, 'backups', 'whole.limner');
  mkdirSync(join(disk.path, 'backups'));
  const server = await startFullWorkbench(data, { images: 40, shapes: 3000 });
  await server.stop();
  expect(await runLimner(['backup', '--data-dir', data, '--output', file])).toMatchObject({ exitCode: 0 });
  state = wholeState(data);
});
afterEach(() => disk.unmount());

/** Runs a command with a random amount of free space; true if it was enough. */
async function inNarrowSpace(args: readonly string[], mostBytes: number): Promise<boolean> {
  disk.fill(Math.floor(random() * mostBytes));
  const { exitCode, errorOutput } = await runLimner(args);
  disk.free();
  if (exitCode !== 0)
    expect({ exitCode, errorOutput }).toMatchObject({ exitCode: 1, errorOutput: expect.stringMatching(/disk|free/) });
  expect(existsSync(join(data, 'snapshot'))).toBe(false);
  expect(existsSync(join(data, 'restore'))).toBe(false);
  return exitCode === 0;
}

it(`a full disk ends a backup with a sentence, and the previous one remains (seed ${seed})`, async () => {
  for (let round = 0; round < fills; round += 1) {
    const isEnough = await inNarrowSpace(['backup', '--data-dir', data, '--output', file], round === 0 ? 0 : 12e6);
    if (round === 0) expect(isEnough).toBe(false);
    expect(readdirSync(join(disk.path, 'backups'))).toEqual(['whole.limner']);
    await readBackup({ file, passphrase: null }, async ({ body }) => {
      for await (const _ of body);
    });
    expect(wholeState(data)).toEqual(state);
  }
});

it(`a full disk ends a restore with a sentence, and the workbench remains (seed ${seed})`, async () => {
  for (let round = 0; round < fills; round += 1) {
    const isEnough = await inNarrowSpace(['restore', file, '--data-dir', data], round === 0 ? 0 : 12e6);
    if (round === 0) expect(isEnough).toBe(false);
    expect(wholeState(data)).toEqual(state);
  }
});
