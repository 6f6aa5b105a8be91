import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { readBackup } from '../../main/backup/read-backup.ts';
import { whileStopped } from '../../main/db/store/quarantine.ts';
import { runLimner } from '../integration/cli/support/run-limner.ts';
import { startFullWorkbench } from '../faults/backup/full-workbench.ts';
import { wholeState, type WholeState } from '../faults/backup/whole-state.ts';
import { below, createRandom } from '../support/random.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { readDiskLog, type DiskEvent } from './disk-log.ts';
import { DiskModel, randomFate, type Remains } from './disk-model.ts';
import { compileRecorder } from './recording.ts';

const cuts = Number(process.env['LIMNER_CUTS'] ?? 40);
const seed = Number(process.env['LIMNER_SEED'] ?? Date.now() % 1_000_000);
const folder = sharedFolder();

function eventsOf(root: string): DiskEvent[] {
  const events: DiskEvent[] = [];
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) events.push({ kind: 'make folder', path });
    else if (entry.isFile()) {
      const inode = statSync(join(root, path)).ino;
      events.push({ kind: 'create', inode, path });
      events.push({ kind: 'write', inode, offset: 0, bytes: readFileSync(join(root, path)) });
    }
  }
  const depth = (event: DiskEvent) => (event.kind === 'make folder' ? event.path.split('/').length : 1000);
  return [...events.toSorted((a, b) => depth(a) - depth(b)), { kind: 'sync all' }];
}

/** Runs a command and returns its disk events after those of the initial content. */
async function recorded(root: string, args: readonly string[]): Promise<{ before: DiskEvent[]; during: DiskEvent[] }> {
  const log = join(folder, `${args[0]}.log`);
  writeFileSync(log, '');
  const before = eventsOf(root);
  const result = await runLimner(args, {
    env: {
      LD_PRELOAD: compileRecorder(folder),
      LIMNER_RECORD_ROOT: root,
      LIMNER_RECORD_LOG: log,
      UV_USE_IO_URING: '0',
    },
  });
  expect(result).toMatchObject({ exitCode: 0 });
  return { before, during: readDiskLog(log).map(({ event }) => event) };
}

/**
 * Calls back with the remaining files after each cut. Half of the cuts are among the last events, where names change.
 */
async function afterCuts(
  { before, during }: { before: readonly DiskEvent[]; during: readonly DiskEvent[] },
  look: (place: string, cut: string) => Promise<void>,
): Promise<void> {
  const random = createRandom(seed);
  const late = Math.min(during.length, 120);
  const positions = Array.from({ length: cuts }, (_, index) =>
    index % 2 === 0 ? below(random, during.length + 1) : during.length - below(random, late + 1),
  ).sort((a, b) => a - b);
  const model = new DiskModel();
  for (const event of before) model.apply(event);
  let next = 0;
  for (const position of positions) {
    for (; next < position; next += 1) model.apply(during[next] as DiskEvent);
    const fate = randomFate(random);
    const place = mkdtempSync(join(folder, 'cut-'));
    writeRemains(model.afterCut(fate, random), place);
    await look(place, `cut at ${position} of ${during.length} (files: ${fate.files}; names: ${fate.names})`);
    rmSync(place, { recursive: true });
  }
}

function writeRemains(remains: Remains, target: string): void {
  for (const [path, bytes] of remains) {
    if (path.endsWith('-shm')) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), bytes);
  }
}

/** State of a data directory after the next start has finished interrupted work. */
async function stateOf(root: string): Promise<WholeState> {
  await whileStopped(root, () => undefined);
  return wholeState(root);
}

it(`${cuts} power cuts in a backup and ${cuts} in a restore leave the old data complete, or the new (seed ${seed})`, async () => {
  const root = join(folder, 'disk');
  const [data, file] = [join(root, 'data'), join(root, 'backups', 'whole.limner')];
  mkdirSync(dirname(file), { recursive: true });
  const server = await startFullWorkbench(data, { images: 5, shapes: 50 });
  await server.stop();
  expect(await runLimner(['backup', '--data-dir', data, '--output', file])).toMatchObject({ exitCode: 0 });
  const first = wholeState(data);
  writeFileSync(join(data, 'data', 'assets', 'later'), 'later');
  const second = wholeState(data);

  const outcomes = { old: 0, new: 0 };
  const sums = new Map<string, 'old' | 'new'>();
  const sumOf = async (path: string): Promise<string> => {
    const { listSha256 } = await readBackup({ file: path, passphrase: null }, async ({ body }) => {
      for await (const _ of body);
    });
    return listSha256;
  };
  sums.set(await sumOf(file), 'old');
  const backup = await recorded(root, ['backup', '--data-dir', data, '--output', file]);
  sums.set(await sumOf(file), 'new');
  expect(sums.size).toBe(2);
  await afterCuts(backup, async (place, cut) => {
    const found = sums.get(await sumOf(join(place, 'backups', 'whole.limner')));
    expect(found, cut).toBeDefined();
    outcomes[found ?? 'old'] += 1;
    expect(await stateOf(join(place, 'data')), cut).toEqual(second);
  });
  const ofBackups = { ...outcomes };

  const older = join(folder, 'older.limner');
  rmSync(join(data, 'data', 'assets', 'later'));
  expect(await runLimner(['backup', '--data-dir', data, '--output', older])).toMatchObject({ exitCode: 0 });
  writeFileSync(join(data, 'data', 'assets', 'later'), 'later');
  const restore = await recorded(root, ['restore', older, '--data-dir', data]);
  await afterCuts(restore, async (place, cut) => {
    const state = await stateOf(join(place, 'data'));
    const isOld = 'data/assets/later' in state;
    outcomes[isOld ? 'old' : 'new'] += 1;
    expect(state, cut).toEqual(isOld ? second : first);
  });
  console.log(
    `${cuts} power cuts in a backup of ${backup.during.length} writes, syncs and changes of names: ` +
      `${ofBackups.old} left the old file, ${ofBackups.new} the new one; ${cuts} in a restore of ` +
      `${restore.during.length}: ${outcomes.old - ofBackups.old} left the old workbench, ` +
      `${outcomes.new - ofBackups.new} the new one; seed ${seed}`,
  );
});
