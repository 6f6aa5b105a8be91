import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { categoryName, cocoImageSize, generateCoco, imageName } from '../../bench/support/generate-coco.ts';
import { signIn } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

let server: RunningServer | undefined;
let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'limner-end-'));
  server = await startServer();
});
afterEach(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** With two transactions, a crash between them would import the same file again at the next start. */
it('annotations of an import become visible in the same moment as its request ends', async () => {
  if (!server) throw new Error('There is no server.');
  const client = await signIn(server);
  const images = (await makeImages(3, cocoImageSize)).map((image, index) => ({ ...image, name: imageName(index) }));
  const { id } = await client.taskWithImages({ labels: [{ name: categoryName(0) }] }, images);
  const file = join(folder, 'annotations.json');
  await generateCoco(file, { images: 3, annotations: 40, categories: 1 });
  const store = new Database(join(server.dataDir, 'db', 'limner.sqlite'));
  store.exec(`CREATE TRIGGER no_end BEFORE UPDATE OF status ON request WHEN new.status = 'finished'
    BEGIN SELECT RAISE(ABORT, 'the end cannot be stored'); END`);
  const ended = await client.ended(await client.startImport('tasks', id, 'COCO 1.0', { path: file }));
  expect(ended.status).toBe('failed');
  expect((await client.annotations('tasks', id)).shapes).toEqual([]);

  store.exec('DROP TRIGGER no_end');
  store.close();
  await client.importAnnotations('tasks', id, 'COCO 1.0', { path: file }, { import_mode: 'append' });
  expect((await client.annotations('tasks', id)).shapes).toHaveLength(40);
});
