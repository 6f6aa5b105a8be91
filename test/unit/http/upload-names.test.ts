import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUploadNames } from '../../../main/http/uploads/upload-names.ts';
import { createUploadStore } from '../../../main/http/uploads/upload-store.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limner-uploads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function* bytes(text: string) {
  yield Buffer.from(text);
}

test('the list of uploads is read once, not for each new upload', async () => {
  let reads = 0;
  const names = createUploadNames(() => {
    reads += 1;
    return Promise.resolve([]);
  });
  for (let count = 0; count < 100; count += 1) expect(await names.has('tasks-1-data', 1, `${count}.jpg`)).toBe(false);
  expect(reads).toBe(1);
});

test('a name is taken by a complete upload, until it is removed, also after a restart', async () => {
  const scope = 'tasks-1-data';
  const store = createUploadStore(folder);
  const first = await store.create(scope, 1, 'a.jpg', 3);
  await store.create(scope, 1, 'a.jpg', 3);
  await store.append(scope, first, 0, bytes('abc'));
  await expect(store.create(scope, 1, 'a.jpg', 3)).rejects.toThrow('"a.jpg" was already uploaded');
  await expect(createUploadStore(folder).create(scope, 1, 'a.jpg', 3)).rejects.toThrow('already uploaded');
  await store.create(scope, 2, 'a.jpg', 3);
  const [complete] = (await store.list(scope, 1)).filter(({ offsetBytes }) => offsetBytes === 3);
  await store.remove(scope, [complete!]);
  await store.create(scope, 1, 'a.jpg', 3);
});

test('an upload that was removed from disk by its age does not keep its name', async () => {
  const scope = 'tasks-2-data';
  const store = createUploadStore(folder);
  await store.append(scope, await store.create(scope, 1, 'b.jpg', 3), 0, bytes('abc'));
  await expect(store.create(scope, 1, 'b.jpg', 3)).rejects.toThrow('already uploaded');
  await rm(join(folder, 'open', scope), { recursive: true });
  await store.create(scope, 1, 'b.jpg', 3);
});
