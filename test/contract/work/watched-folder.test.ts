import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { WatchedFolder } from '../../../preload/contract/schema/resources.ts';
import { startWorkbench } from '../../integration/http/support.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { picture } from './work-harness.ts';

let workbench = await startWorkbench();
afterAll(() => workbench.stop());
const owner = () => workbench.owner;

const path = (id: number) => `/api/limner/tasks/${id}/watched-folder`;
const watched = (id: number) => owner().good<WatchedFolder>('GET', path(id));
const watch = (id: number, folder: string) => owner().good<WatchedFolder>('POST', path(id), { json: { path: folder } });
const namesOf = async (id: number) => (await owner().meta('tasks', id)).frames?.map(({ name }) => name);
const waiting = { timeout: 60_000, interval: 200 };

async function newTask() {
  const images = [{ name: 'first.png', bytes: await picture('first.png') }];
  const { id } = await owner().taskWithImages({ labels: [{ name: 'thing' }] }, images);
  const folder = join(temporaryFolder(), 'incoming');
  mkdirSync(folder);
  return { id, folder };
}

test('adds new images of a watched folder, counts other files, and continues after a restart', async () => {
  const { id, folder } = await newTask();
  expect(await watched(id)).toEqual({ path: null, added_count: 0, ignored_count: 0, problem: null });
  writeFileSync(join(folder, 'a.png'), await picture('a.png'));
  writeFileSync(join(folder, 'notes.txt'), 'not an image');
  expect(await watch(id, folder)).toMatchObject({ path: folder, added_count: 0 });
  await expect.poll(() => namesOf(id), waiting).toEqual(['first.png', 'a.png']);
  await expect.poll(() => watched(id), waiting).toMatchObject({ added_count: 1, ignored_count: 1, problem: null });

  workbench = await workbench.restart();
  writeFileSync(join(folder, 'b.png'), await picture('b.png'));
  await expect.poll(() => namesOf(id), waiting).toEqual(['first.png', 'a.png', 'b.png']);
  await expect.poll(async () => (await watched(id)).added_count, waiting).toBe(2);

  await owner().good('DELETE', path(id));
  expect(await watched(id)).toMatchObject({ path: null, added_count: 0 });
});

test('waits for a file that is still written', async () => {
  const { id, folder } = await newTask();
  await watch(id, folder);
  const bytes = await picture('slow.png');
  const file = join(folder, 'slow.png');
  writeFileSync(file, bytes.subarray(0, 20));
  for (let at = 20; at < bytes.length; at += Math.ceil(bytes.length / 6)) {
    await new Promise((next) => setTimeout(next, 1000));
    appendFileSync(file, bytes.subarray(at, Math.min(bytes.length, at + Math.ceil(bytes.length / 6))));
  }
  await expect.poll(() => namesOf(id), waiting).toEqual(['first.png', 'slow.png']);
  expect(await watched(id)).toMatchObject({ ignored_count: 0 });
});

test('does not add an image again that was removed for good', async () => {
  const { id, folder } = await newTask();
  writeFileSync(join(folder, 'a.png'), await picture('a.png'));
  await watch(id, folder);
  await expect.poll(async () => (await watched(id)).added_count, waiting).toBe(1);
  await owner().good('POST', `/api/limner/tasks/${id}/frames/remove`, { json: { frames: [1] } });
  writeFileSync(join(folder, 'b.png'), await picture('b.png'));
  await expect.poll(() => namesOf(id), waiting).toEqual(['first.png', 'a.png', 'b.png']);
});

test('says that a watched folder is gone, and continues when it is back', async () => {
  const { id, folder } = await newTask();
  await watch(id, folder);
  renameSync(folder, `${folder}-away`);
  await expect
    .poll(async () => (await watched(id)).problem, waiting)
    .toBe(`Cannot read the folder ${folder}: it does not exist. Connect its disk, or choose another folder.`);
  renameSync(`${folder}-away`, folder);
  await expect.poll(async () => (await watched(id)).problem, waiting).toBeNull();
});

test('refuses folders that cannot be watched', async () => {
  const { id, folder } = await newTask();
  const refused = async (given: string, by = owner()) => {
    const { status, body } = await by.call('POST', path(id), { json: { path: given } });
    return { status, body: JSON.stringify(body) };
  };
  const none = join(folder, 'none');
  // The sentence names the path, so the window shows it without the name of the field.
  expect(await refused(none)).toEqual({
    status: 400,
    body: JSON.stringify([
      `Cannot read the folder ${none}: it does not exist. Connect its disk, or choose another folder.`,
    ]),
  });
  expect(await refused('incoming')).toMatchObject({ status: 400 });
  expect((await refused(folder, await workbench.addUser('worker'))).status).toBeGreaterThanOrEqual(403);
});
