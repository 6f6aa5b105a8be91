import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { makeShapes } from '../../bench/support/shapes.ts';
import { signIn } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';

/** More than one thread reads alone. */
const manyShapes = 24_000;
const frames = 6;

const labels = [
  { name: 'thing' },
  { name: 'figure', type: 'skeleton' as const, sublabels: [{ name: 'head', type: 'points' as const }] },
];

const folder = mkdtempSync(join(tmpdir(), 'limner-moment-'));
const server = await startServer();
const client = await signIn(server);
const taskId = await createTask();
await fill();
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function createTask(): Promise<number> {
  return (
    await client.taskWithImages({ labels, segment_size: 3 }, await makeImages(frames, { width: 2000, height: 1200 }))
  ).id;
}

/** Creates shapes on all frames of both jobs, among them skeletons, and a tag and a track. */
async function fill(): Promise<void> {
  const [thing, figure] = await client.labels(taskId);
  const labelId = thing?.id ?? 0;
  const headId = figure?.sublabels[0]?.id ?? 0;
  for (let start = 0; start < manyShapes; start += 4000) {
    const shapes = makeShapes(4000, labelId, start).map((shape, index) => ({ ...shape, frame: index % frames }));
    const skeletons = Array.from({ length: 10 }, (_, index) => {
      const frame = index % frames;
      const points = [start / 1000 + index, 20.25];
      const head = { type: 'points' as const, frame, label_id: headId, points, occluded: index % 2 === 0 };
      return { type: 'skeleton' as const, frame, label_id: figure?.id ?? 0, points: [], elements: [head] };
    });
    await client.changeAnnotations('tasks', taskId, 'create', { shapes: [...shapes, ...skeletons] });
  }
  const keyframe = (frame: number, outside: boolean) => ({
    type: 'rectangle' as const,
    frame,
    outside,
    points: [1, 2, 30.5, 40.5],
  });
  await client.changeAnnotations('tasks', taskId, 'create', {
    tags: [{ frame: 5, label_id: labelId, group: 1 }],
    tracks: [{ frame: 0, label_id: labelId, shapes: [keyframe(0, false), keyframe(2, true)] }],
  });
}

function contents({ shapes, tags }: LabeledData): string[] {
  return [
    ...shapes.map(({ frame, type, points, elements }) =>
      JSON.stringify([frame, type, points, elements.map((one) => [one.points, one.occluded])]),
    ),
    ...tags.map(({ frame, group }) => JSON.stringify(['tag', frame, group])),
  ].sort();
}

describe('an export of many shapes', () => {
  it('contains every one of them once, with its parts', async () => {
    const file = join(folder, 'whole.zip');
    await client.exportDataset('tasks', taskId, 'CVAT for images 1.1', file);
    const other = await createTask();
    await client.importAnnotations('tasks', other, 'CVAT 1.1', { path: file });
    const [original, imported] = [await client.annotations('tasks', taskId), await client.annotations('tasks', other)];
    expect(original.shapes.length).toBeGreaterThan(manyShapes);
    expect(imported.shapes).toHaveLength(original.shapes.length + 2);
    const found = new Set(contents(imported));
    expect(contents(original).filter((content) => !found.has(content))).toEqual([]);
  });

  it('shows one moment, although two threads read it during edits', async () => {
    const { shapes, tags } = await client.annotations('tasks', taskId);
    const [first, last, tag] = [shapes[0], shapes.filter((shape) => shape.type !== 'skeleton').at(-1), tags[0]];
    if (!first || !last || !tag) throw new Error('The task is empty.');
    const over = new AbortController();
    let edits = 0;
    const editing = (async () => {
      for (let group = 2; !over.signal.aborted; group += 1) {
        await client.changeAnnotations('tasks', taskId, 'update', {
          shapes: [
            { ...first, group },
            { ...last, group },
          ],
          tags: [{ ...tag, group }],
        });
        edits += 1;
      }
    })();
    const groups: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      const file = join(folder, `moment-${round}.zip`);
      const rqId = await client.startExport('tasks', taskId, 'CVAT for images 1.1', false, `moment-${round}.zip`);
      await client.download((await client.finished(rqId)).result_url ?? '', file);
      const xml = firstEntry(await readFile(file)).toString('utf8');
      groups.push([...xml.matchAll(/group_id="(\d+)"/g)].map((match) => match[1] ?? ''));
    }
    over.abort();
    await editing;
    expect(edits).toBeGreaterThan(5);
    for (const found of groups) {
      expect(found.length).toBeGreaterThanOrEqual(2);
      expect(new Set(found).size).toBe(1);
    }
  });
});

/** Content of a ZIP archive's first entry, found by the central directory. */
function firstEntry(archive: Buffer): Buffer {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const central = archive.readUInt32LE(end + 16);
  const [method, packedBytes] = [archive.readUInt16LE(central + 10), archive.readUInt32LE(central + 20)];
  const local = archive.readUInt32LE(central + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + packedBytes);
  return method === 0 ? packed : inflateRawSync(packed);
}
