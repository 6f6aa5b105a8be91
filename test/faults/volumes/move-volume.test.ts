import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Storage, StorageMove } from '../../../preload/contract/schema/storage.ts';
import { dataDirectoryPaths, prepareDataDirectory } from '../../../main/platform/paths.ts';
import { takeDataDirectory } from '../../../main/platform/take-data-directory.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { compileCache, nodeExecutable, programEntry } from '../../support/node-executable.ts';
import { createRandom } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { makeImages } from '../../support/images.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { startFullWorkbench } from '../backup/full-workbench.ts';
import { wholeState, type WholeState } from '../backup/whole-state.ts';
import { runHere } from '../../integration/cli/support/run-here.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';

const kills = Number(process.env['LIMNER_KILLS'] ?? 3);
const seed = Number(process.env['LIMNER_SEED'] ?? 20261125);

const original = join(sharedFolder(), 'original');

const server = await startFullWorkbench(original, { images: 12, shapes: 400 });
await server.stop();
const state = wholeState(original);

function workbench(): { root: string; home: string } {
  const folder = temporaryFolder();
  const root = join(folder, 'workbench');
  const home = join(folder, 'large');
  cpSync(original, root, { recursive: true });
  mkdirSync(home);
  return { root, home };
}

async function found(root: string): Promise<WholeState> {
  prepareDataDirectory(root);
  (await takeDataDirectory(dataDirectoryPaths(root))).release();
  return wholeState(root);
}

function without(whole: WholeState): WholeState {
  const { 'table request': _, ...others } = whole;
  return others;
}

test('each volume moves by the command line and comes back, and everything is as it was', async () => {
  const { root, home } = workbench();
  for (const volume of ['database', 'media', 'keys', 'logs', 'events']) {
    const folder = join(home, volume);
    mkdirSync(folder);
    const moved = await runHere(['volume', 'move', volume, folder, '--data-dir', root]);
    expect(moved).toMatchObject({ exitCode: 0, output: expect.stringContaining('read back and compared') });
  }
  expect(wholeState(root)).toEqual(state);
  // A workbench starts on the moved files and removes the old copies.
  const listed = await runLimner(['volume', 'list', '--json', '--data-dir', root]);
  expect(listed).toMatchObject({ exitCode: 0 });
  const { volumes } = JSON.parse(listed.output) as Storage;
  expect(volumes.map(({ name, moved }) => [name, moved])).toEqual(
    ['database', 'media', 'keys', 'logs', 'events'].map((name) => [name, true]),
  );
  expect(without(wholeState(root))).toMatchObject(without(state));
  for (const volume of ['database', 'media', 'keys', 'logs', 'events'])
    expect(await runHere(['volume', 'move', volume, root, '--data-dir', root])).toMatchObject({ exitCode: 0 });
  expect(without(await found(root))).toMatchObject(without(state));
  const filled = await runHere(['volume', 'move', 'media', original, '--data-dir', root]);
  expect(filled).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('is not empty') });
});

async function killed(args: readonly string[], afterMs: number): Promise<void> {
  const child = spawn(nodeExecutable(), [programEntry('cli'), ...args], {
    stdio: 'ignore',
    env: { ...process.env, ...compileCache },
  });
  const exited = once(child, 'exit');
  await Promise.race([sleep(afterMs), exited]);
  child.kill('SIGKILL');
  await exited;
}

test.each(['media', 'database'])(
  `a killed move of the %s leaves one complete volume (seed ${seed})`,
  async (volume) => {
    const measured = workbench();
    const started = performance.now();
    await runLimner(['volume', 'move', volume, measured.home, '--data-dir', measured.root]);
    const takesMs = performance.now() - started;
    const random = createRandom(seed);
    for (let round = 0; round < kills; round += 1) {
      const { root, home } = workbench();
      await killed(['volume', 'move', volume, home, '--data-dir', root], takesMs * (0.4 + 0.6 * random()));
      expect(await found(root)).toEqual(state);
      expect(existsSync(join(home, 'arriving'))).toBe(false);
      // Remains of the killed move do not disturb the next one.
      const there = existsSync(join(home, 'data')) ? root : home;
      const again = await runHere(['volume', 'move', volume, there, '--data-dir', root]);
      if (again.exitCode !== 0) expect(again.errorOutput).toContain('already');
      expect(await found(root)).toEqual(state);
      rmSync(root, { recursive: true });
    }
  },
);

async function settled(client: TestClient): Promise<StorageMove> {
  const look = async (): Promise<StorageMove | null> => {
    const answer = await client.call('GET', '/api/limner/storage/move').catch(() => null);
    return answer?.status === 200 ? (answer.body as StorageMove) : null;
  };
  await expect.poll(async () => (await look())?.running).toBe(null);
  return client.good<StorageMove>('GET', '/api/limner/storage/move');
}

describe('a running workbench', () => {
  let server: RunningServer;
  let client: TestClient;

  test('restarts on the moved media at the same address, with the same sessions, and accepts new images', async () => {
    const { root, home } = workbench();
    server = await startServer({ dataDir: root });
    try {
      client = await signIn(server);
      await client.good('POST', '/api/limner/storage/move', { json: { volume: 'media', folder: home } });
      expect((await settled(client)).last).toMatchObject({
        volume: 'media',
        succeeded: true,
        folder: join(home, 'data'),
      });
      await client.taskWithImages({ name: 'later', labels: [{ name: 'thing' }] }, await makeImages(2));
      // There and back again, in one process.
      for (const folder of [root, home]) {
        await client.good('POST', '/api/limner/storage/move', { json: { volume: 'media', folder } });
        expect((await settled(client)).last).toMatchObject({ succeeded: true, folder: join(folder, 'data') });
      }
      const { volumes } = await client.good<Storage>('GET', '/api/limner/storage');
      expect(volumes.find(({ name }) => name === 'media')).toMatchObject({ moved: true, folder: join(home, 'data') });
      await expect.poll(() => existsSync(join(root, 'set-aside'))).toBe(false);

      const file = join(root, '..', 'moved.limner');
      const options = ['--data-dir', root];
      expect(await runLimner(['backup', '--output', file, ...options])).toMatchObject({ exitCode: 0 });
      expect(await runLimner(['restore', file, ...options])).toMatchObject({ exitCode: 0 });
      expect(readdirSync(home).sort()).toEqual(['data', 'limner-volume-data.json', 'limner.lock', 'set-aside']);
    } finally {
      await server.stop();
    }
    const doctor = await runLimner(['doctor', '--json', '--data-dir', root]);
    expect(doctor.output).toContain(`The volume \\"media\\" is in ${join(home, 'data')}`);
    renameSync(home, `${home}-away`);
    const refused = await runLimner(['volume', 'list', '--data-dir', root]);
    expect(refused.errorOutput).toContain('its disk may not be plugged in');
    const faults = await runLimner(['doctor', '--data-dir', root]);
    expect(faults).toMatchObject({ exitCode: 1, output: expect.stringContaining('limner volume find media') });
    const again = await runLimner(['volume', 'find', 'media', `${home}-away`, '--data-dir', root]);
    expect(again).toMatchObject({ exitCode: 0 });
    expect((await runLimner(['volume', 'list', '--data-dir', root])).output).toContain(`${home}-away`);
  });

  test('finds images used in place in their new folder, by path and by content', async () => {
    const folder = temporaryFolder();
    const photos = join(folder, 'photos');
    mkdirSync(photos);
    const images = await makeImages(3);
    for (const { name, bytes } of images) writeFileSync(join(photos, name), bytes);
    server = await startServer({ dataDir: join(folder, 'workbench') });
    try {
      client = await signIn(server);
      const task = await client.good<{ id: number }>('POST', '/api/tasks', { json: { name: 'photos', labels: [] } });
      const { rq_id: request } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/data`, {
        json: { server_files: [photos], image_quality: 70 },
      });
      await client.finished(request);
      const places = async () => (await client.good<Storage>('GET', '/api/limner/storage')).in_place;
      expect(await places()).toMatchObject([{ folder: photos, files: 3, missing: 0, tasks: [{ name: 'photos' }] }]);
      const carried = join(folder, 'carried');
      renameSync(photos, carried);
      renameSync(join(carried, images[0]?.name ?? ''), join(carried, 'renamed.jpg'));
      writeFileSync(join(carried, images[1]?.name ?? ''), 'another picture');
      expect(await places()).toMatchObject([{ missing: 3 }]);
      const result = await client.good('POST', '/api/limner/storage/relink', { json: { from: photos, to: carried } });
      expect(result).toMatchObject({ found: 2, by_content: 1, missing: 1, other: 1 });
      expect((await client.call('GET', `/api/tasks/${task.id}/data?type=frame&number=0&quality=original`)).status).toBe(
        200,
      );
      expect((await client.call('GET', `/api/tasks/${task.id}/data?type=frame&number=1&quality=original`)).status).toBe(
        404,
      );
    } finally {
      await server.stop();
    }
  });
});
