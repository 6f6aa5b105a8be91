import { openAsBlob, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type TestClient } from '../../support/client.ts';
import type { RemovedFrames } from '../../../preload/contract/schema/resources.ts';
import { imageForm, makeImage, type NamedImage } from '../../support/images.ts';
import { below, createRandom, pick, pickSome, type Random } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { seed } from './kill-plan.ts';
import { storeProblems } from './store-checks.ts';

/** Random sequences that are compared with tasks created at once. */
const sequences = Number(process.env['LIMNER_GROWTHS'] ?? 2);
const steps = 10;
const segmentSize = 3;

let server: RunningServer;
let client: TestClient;
beforeAll(async () => {
  server = await startServer();
  client = await signIn(server);
});
afterAll(() => server.stop());

interface Growing {
  id: number;
  readonly images: NamedImage[];
  objects: { readonly frame: number; readonly points: number[] }[];
  /** Tracks from frame 0 to 2, the frames of the first job. */
  tracks: number;
  deleted: number[];
  /** Frames whose images were removed for good. */
  removed: number[];
}

const labels = [{ name: 'car' }];
let made = 0;
async function newImages(random: Random, count: number): Promise<NamedImage[]> {
  const images: NamedImage[] = [];
  for (let index = 0; index < count; index += 1) {
    made += 1;
    const name = `${String(made).padStart(4, '0')}.png`;
    const size = { width: 32 + below(random, 4), height: 24 };
    images.push({ name, bytes: await makeImage({ ...size, text: name, format: 'png' }) });
  }
  return images;
}

const shapeOf = (label: number, { frame, points }: Growing['objects'][number]) => ({
  type: 'rectangle' as const,
  label_id: label,
  frame,
  points,
  attributes: [],
});
const trackOf = (label: number) => ({
  label_id: label,
  frame: 0,
  attributes: [],
  shapes: [0, 2].map((frame) => ({
    type: 'rectangle' as const,
    frame,
    points: [1, 1, 9 + frame, 9],
    outside: frame === 2,
    attributes: [],
  })),
});

async function startAdding({ id }: Growing, images: readonly NamedImage[], existing = 'skip'): Promise<string> {
  const body = imageForm(images, { segment_size: String(segmentSize), existing_names: existing });
  return (await client.good<{ rq_id: string }>('POST', `/api/limner/tasks/${id}/images/`, { body })).rq_id;
}

async function backup(id: number): Promise<Blob> {
  const { rq_id: request } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/backup/export`);
  const { result_url: url } = await client.finished(request);
  const file = join(temporaryFolder(), 'task.zip');
  await client.download(url ?? '', file);
  return openAsBlob(file);
}

async function exportOf(id: number): Promise<string> {
  const file = join(temporaryFolder(), 'export.zip');
  await client.exportDataset('tasks', id, 'COCO 1.0', file);
  const entries = await entriesOf(await readFile(file));
  rmSync(file);
  return entries['annotations/instances_default.json']?.toString() ?? '';
}

const inOrder = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => a - b);

const removeForGood = (id: number, frames: readonly number[]) =>
  client.good<RemovedFrames>('POST', `/api/limner/tasks/${id}/frames/remove`, { json: { frames } });

/** A second removal of a frame changes nothing, so its objects are those of the first. */
function removed(task: Growing, frames: readonly number[]): void {
  task.removed = inOrder([...task.removed, ...frames]);
  task.deleted = inOrder([...task.deleted, ...task.removed]);
  task.objects = task.objects.filter(({ frame }) => !task.removed.includes(frame));
}

async function killAndRestart(): Promise<void> {
  await server.kill9();
  expect(storeProblems(server.dataDir)).toEqual([]);
  server = await server.restart();
  client = client.at(server.url);
}

const actions: Readonly<Record<string, (task: Growing, random: Random) => Promise<void>>> = {
  async add(task, random) {
    const images = await newImages(random, 1 + below(random, 4));
    const known = pickSome(random, task.images, below(random, 2));
    const { message } = await client.finished(await startAdding(task, [...known, ...images]));
    expect(message).toContain(`Added ${images.length} image`);
    task.images.push(...images);
  },
  async annotate(task, random) {
    const [label] = await client.labels(task.id);
    const x = below(random, 20);
    const frame = pick(random, [...task.images.keys()]);
    if (task.removed.includes(frame)) return;
    const object = { frame, points: [x, 1, x + 8, 12] };
    await client.changeAnnotations('tasks', task.id, 'create', { shapes: [shapeOf(label!.id, object)] });
    task.objects.push(object);
  },
  async track(task) {
    if (task.images.length <= segmentSize) return;
    const [label] = await client.labels(task.id);
    await client.changeAnnotations('tasks', task.id, 'create', { tracks: [trackOf(label!.id)] });
    task.tracks += 1;
  },
  async deleteFrames(task, random) {
    const deleted = pickSome(random, [...task.images.keys()], 2);
    task.deleted = inOrder([...deleted, ...task.removed]);
    const json = { deleted_frames: task.deleted };
    await client.good('PATCH', `/api/tasks/${task.id}/data/meta`, { json });
  },
  async remove(task, random) {
    const frames = pickSome(random, [...task.images.keys()], 2);
    await removeForGood(task.id, frames);
    removed(task, frames);
  },
  async removeAndUndo(task, random) {
    const { change } = await removeForGood(task.id, pickSome(random, [...task.images.keys()], 2));
    if (change !== null) await client.good('POST', `/api/limner/annotation-changes/${change}/undo`);
  },
  async killRemoving(task, random) {
    const frames = pickSome(random, [...task.images.keys()], 2);
    const answer = removeForGood(task.id, frames).catch(() => null);
    await sleep(random() * 20);
    await killAndRestart();
    await answer;
    await removeForGood(task.id, frames);
    removed(task, frames);
  },
  async export({ id }) {
    expect(await exportOf(id)).toContain('images');
  },
  async restore(task) {
    const form = new FormData();
    form.set('task_file', await backup(task.id), 'task.zip');
    const { rq_id: request } = await client.good<{ rq_id: string }>('POST', '/api/tasks/backup/', { body: form });
    const { result_id: id } = await client.finished(request);
    await client.good('DELETE', `/api/tasks/${task.id}`);
    task.id = id ?? 0;
  },
  async kill(task, random) {
    const images = await newImages(random, 1 + below(random, 4));
    // A repetition after the images were stored would add them under other names.
    const request = await startAdding(task, images, 'keep_both');
    await sleep(random() * 120);
    await killAndRestart();
    expect(await client.finished(request)).toMatchObject({ status: 'finished' });
    task.images.push(...images);
  },
};

/** Facts about a task without the ids of its objects. */
async function factsOf(id: number) {
  const { size, segment_size: frames, mode } = await client.task(id);
  const meta = await client.meta('tasks', id);
  const { shapes, tracks } = await client.annotations('tasks', id);
  const bytes: string[] = [];
  for (let number = 0; number < (size ?? 0); number += 1) {
    const path = `/api/tasks/${id}/data?type=frame&number=${number}&quality=original`;
    const isRemoved = meta.frames?.[number]?.limner_state === 'unusable';
    if (isRemoved) expect(await client.call('GET', path)).toMatchObject({ status: 400 });
    bytes.push(isRemoved ? 'removed' : (await client.bytes(path)).toString('base64'));
  }
  const chunk = await client.bytes(`/api/tasks/${id}/data?type=chunk&number=0&quality=compressed`);
  return {
    task: { size, frames, mode },
    meta: { frames: meta.frames, deleted: meta.deleted_frames, size: meta.size, stop: meta.stop_frame },
    jobs: (await client.jobs(id)).map(({ start_frame: start, stop_frame: stop, type }) => [type, start, stop]),
    shapes: shapes.map(({ frame, points, type }) => JSON.stringify([frame, type, points])).toSorted(),
    tracks: tracks.map((track) => track.shapes.map(({ frame, points, outside }) => [frame, points, outside])),
    bytes,
    chunk: Object.keys(await entriesOf(chunk)),
    exported: await exportOf(id),
  };
}

async function madeAtOnce({ images, objects, tracks, deleted, removed: gone }: Growing): Promise<number> {
  const { id } = await client.taskWithImages({ labels, segment_size: segmentSize }, images, {
    sorting_method: 'predefined',
    upload_file_order: images.map(({ name }) => name),
  });
  if (gone.length > 0) await removeForGood(id, gone);
  const [label] = await client.labels(id);
  const data = {
    shapes: objects.map((object) => shapeOf(label!.id, object)),
    tracks: Array.from({ length: tracks }, () => trackOf(label!.id)),
  };
  await client.changeAnnotations('tasks', id, 'create', data);
  await client.good('PATCH', `/api/tasks/${id}/data/meta`, { json: { deleted_frames: deleted } });
  return id;
}

test.each(Array.from({ length: sequences }, (_, index) => seed + index))(
  'a task that grew in random steps equals a task created at once (seed %i)',
  async (sequence) => {
    const random = createRandom(sequence);
    const images = await newImages(random, 1 + below(random, 3));
    const { id } = await client.taskWithImages({ labels, segment_size: segmentSize }, images);
    const task: Growing = { id, images, objects: [], tracks: 0, deleted: [], removed: [] };
    const done: string[] = [];
    await actions['add']!(task, random);
    for (let step = 0; step < steps; step += 1) {
      const name = pick(random, ['add', 'add', ...Object.keys(actions)]);
      done.push(name);
      await actions[name]!(task, random);
      const { size } = await client.task(task.id);
      expect(size, done.join(', ')).toBe(task.images.length);
    }
    const other = await madeAtOnce(task);
    expect(await factsOf(task.id), done.join(', ')).toEqual(await factsOf(other));
    for (const one of [task.id, other]) await client.good('DELETE', `/api/tasks/${one}`);
  },
);
