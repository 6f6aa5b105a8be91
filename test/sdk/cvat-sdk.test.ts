import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { preparePython } from './python.ts';

interface Seen {
  readonly version: string;
  readonly user: string;
  readonly task: { readonly id: number; readonly size: number; readonly mode: string; readonly jobs: number };
  readonly frames: readonly string[];
  readonly labels: readonly string[];
  readonly shapes: readonly unknown[];
  readonly tags: readonly unknown[];
  readonly exported: Readonly<Record<string, readonly string[]>>;
  readonly removed: number;
  readonly imported: readonly number[][];
  readonly downloaded: readonly string[];
  readonly same_bytes: readonly boolean[];
  readonly state: string;
  readonly replicas: Readonly<Record<string, unknown>>;
  readonly left: number;
}

const folder = sharedFolder();
const python = await preparePython();
const server = await startServer();
afterAll(async () => {
  await server.stop();
});

it('cvat-sdk makes a task, annotates, exports and imports, unmodified', async () => {
  if (!server) throw new Error('There is no server.');
  const images = await makeImages(3);
  await writeImages(join(folder, 'images'), images);
  const { url, user, password } = server;
  const seen = await python<Seen>('use_cvat_sdk.py', [url, user, password, join(folder, 'images')]);

  expect(seen.version).toMatch(/^2\.73/);
  expect(seen.user).toBe('admin');
  expect(seen.task).toMatchObject({ size: 3, mode: 'annotation', jobs: 2 });
  expect(seen.frames).toEqual(images.map((image) => image.name));
  expect(seen.labels).toEqual(['car', 'person']);
  expect(seen.shapes).toEqual([
    [0, 'rectangle', [10, 20, 30, 40], ['true']],
    [2, 'rectangle', [1.5, 2.5, 3.5, 4.5], []],
  ]);
  expect(seen.tags).toEqual([[1, true]]);
  for (const [format, entries] of Object.entries(seen.exported)) {
    for (const image of images) {
      expect(
        entries.some((entry) => entry.endsWith(`/${image.name}`)),
        `${format}: ${image.name}`,
      ).toBe(true);
    }
  }
  expect(seen.removed).toBe(0);
  expect(seen.imported).toEqual([
    [1.5, 2.5, 3.5, 4.5],
    [10, 20, 30, 40],
  ]);
  expect(seen.downloaded).toEqual(['frame-0.jpg', 'frame-2.jpg']);
  expect(seen.same_bytes).toEqual([true, true]);
  expect(seen.state).toBe('completed');
  expect(seen.replicas).toEqual({
    enabled: true,
    jobs: [
      ['annotation', false, 2],
      ['consensus_replica', true, 0],
      ['consensus_replica', true, 0],
    ],
    overlap: 0.6,
    merged: [['consensus', [10, 20, 30, 40], 1]],
    request: 'merge:task',
  });
  expect(seen.left).toBe(0);
});
