import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { categoryName, cocoImageSize, generateCoco, imageName } from '../../bench/support/generate-coco.ts';
import { makeShapes } from '../../bench/support/shapes.ts';
import { ApiError, signIn, type TestClient } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { storeProblems } from '../../faults/crash/store-checks.ts';
import { createSmallDisk, smallDiskProblem, type SmallDisk } from './small-disk.ts';

const problem = smallDiskProblem();
if (problem !== null) throw new Error(problem);

const diskMiB = 48;
const categories = 3;
const fullSentence = /disk .*full/i;

const shown = ({ shapes }: LabeledData): string[] => shapes.map((shape) => `${shape.id} ${shape.points.join(' ')}`);

async function refusal(request: Promise<unknown>): Promise<ApiError> {
  const error = await request.then(
    () => null,
    (error: unknown) => error,
  );
  if (error instanceof ApiError) return error;
  throw new Error(`The request was to be refused, but ended with ${String(error)}.`);
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('the disk is full', () => {
  let disk: SmallDisk;
  let folder = '';
  let server: RunningServer;
  let client: TestClient;
  let taskId = 0;
  let labelId = 0;
  beforeEach(async () => {
    disk = createSmallDisk(diskMiB);
    folder = temporaryFolder();
    server = await startServer({ dataDir: join(disk.path, 'data') });
    client = await signIn(server);
    const labels = Array.from({ length: categories }, (_, index) => ({ name: categoryName(index) }));
    const images = (await makeImages(4, cocoImageSize)).map((image, index) => ({ ...image, name: imageName(index) }));
    taskId = (await client.taskWithImages({ labels }, images)).id;
    labelId = (await client.labels(taskId))[0]?.id ?? 0;
  });
  afterEach(async () => {
    try {
      await server?.kill9();
    } finally {
      disk.unmount();
    }
  });

  const batch = (seed: number) => ({ shapes: makeShapes(100, labelId, seed) });
  const annotations = async () => shown(await client.annotations('tasks', taskId));

  async function drawUntilRefused() {
    const kept: string[] = [];
    for (let seed = 1; ; seed += 1) {
      try {
        kept.push(...shown(await client.changeAnnotations('tasks', taskId, 'create', batch(seed))));
      } catch (error) {
        if (error instanceof ApiError) return { kept, error };
        throw error;
      }
    }
  }

  async function cocoFile(count: number): Promise<string> {
    const file = join(folder, 'annotations.json');
    await generateCoco(file, { images: 4, annotations: count, categories });
    return file;
  }

  it('refuses an edit with 507 and a sentence, keeps stored data, and continues when there is space', async () => {
    disk.fill();
    const { kept, error } = await drawUntilRefused();
    expect(error.status).toBe(507);
    expect(JSON.stringify(error.body)).toMatch(fullSentence);

    expect(server.isRunning()).toBe(true);
    expect(await annotations()).toEqual(kept);
    expect((await client.meta('tasks', taskId)).size).toBe(4);
    const frame = await client.call('GET', `/api/tasks/${taskId}/data/?type=frame&quality=original&number=0`);
    expect(frame.status).toBe(200);
    expect(storeProblems(server.dataDir)).toEqual([]);

    disk.free();
    kept.push(...shown(await client.changeAnnotations('tasks', taskId, 'create', batch(0))));
    expect(await annotations()).toEqual(kept);
    await server.kill9();
    server = await server.restart();
    client = client.at(server.url);
    expect(await annotations()).toEqual(kept);
  });

  it('refuses changes, deletions and new tasks in the same way', async () => {
    const { shapes } = await client.changeAnnotations('tasks', taskId, 'create', batch(1));
    disk.fill();
    await drawUntilRefused();
    const before = await annotations();
    const moved = shapes.map((shape) => ({ ...shape, points: shape.points.map((value) => value + 1.25) }));
    // Each is larger than the remaining space of the journal.
    const errors = [
      await refusal(client.changeAnnotations('tasks', taskId, 'update', { shapes: moved })),
      await refusal(client.replaceAnnotations('tasks', taskId, { shapes: makeShapes(3000, labelId) })),
      await refusal(client.createTask({ name: 'another', labels: manyLabels() })),
    ];
    expect(errors.map((error) => error.status)).toEqual([507, 507, 507]);
    expect(await annotations()).toEqual(before);
    expect(storeProblems(server.dataDir)).toEqual([]);
  });

  it('keeps the coarse image if the tiles of a large one find no space, and creates them later', async () => {
    const large = await makeImages(1, { width: 3000, height: 2000, text: 'large' });
    const { id } = await client.taskWithImages({ labels: [{ name: 'thing' }] }, large);
    const [job] = await client.jobs(id);
    const path = `/api/limner/jobs/${job?.id}/frames/0`;
    await client.bytes(`${path}/overview`);
    const before = filesBelow(server.dataDir).filter((file) => file.includes('cache'));
    disk.fill(64 * 1024);
    const answer = await client.call('GET', `${path}/tiles`);
    expect(answer.status).toBe(507);
    expect(JSON.stringify(answer.body)).toMatch(
      /Cannot create the tiles of .*: the disk is full.*low resolution.*Free some space/,
    );
    expect((await client.call('GET', `${path}/overview`)).status).toBe(200);
    expect(filesBelow(server.dataDir).filter((file) => file.includes('cache'))).toEqual(before);
    disk.free();
    expect((await client.call('GET', `${path}/tiles`)).status).toBe(200);
  });

  it('stops and starts again on a full disk without losing anything', async () => {
    disk.fill();
    const { kept } = await drawUntilRefused();
    expect(await server.stop()).toBe(0);
    disk.fill();
    server = await server.restart();
    await server.kill9();
    disk.free();
    server = await server.restart();
    client = await signIn(server);
    expect(await annotations()).toEqual(kept);
    expect(storeProblems(server.dataDir)).toEqual([]);
  });

  it('starts on a full disk: everything can be viewed and exported elsewhere, and nothing is changed', async () => {
    await client.changeAnnotations('tasks', taskId, 'create', batch(1));
    const before = await annotations();
    await server.stop();
    disk.fill();
    expect(filesBelow(disk.path).filter((name) => /limner\.lock/.test(name))).toEqual([]);
    server = await server.restart();

    const launched = await fetch(server.launchUrl, { redirect: 'manual' });
    expect(launched.headers.getSetCookie()).toHaveLength(2);
    client = await signIn(server);
    expect(await annotations()).toEqual(before);
    expect((await client.call('GET', `/api/tasks/${taskId}/data/?type=frame&quality=original&number=0`)).status).toBe(
      200,
    );
    const file = join(folder, 'export.zip');
    await client.exportDataset('tasks', taskId, 'COCO 1.0', file, true);
    expect(statSync(file).size).toBeGreaterThan(1000);

    const edit = await refusal(client.changeAnnotations('tasks', taskId, 'create', batch(2)));
    expect(edit.status).toBe(507);
    expect(JSON.stringify(edit.body)).toMatch(fullSentence);
    expect((await refusal(client.createTask({ name: 'another' }))).status).toBe(507);
    expect(await annotations()).toEqual(before);

    disk.free();
    await client.changeAnnotations('tasks', taskId, 'create', batch(2));
    expect(await annotations()).toHaveLength(2 * before.length);
  });

  it('reports if not even the lock can be written, and leaves no part of one', async () => {
    await server.stop();
    rmSync(join(server.dataDir, 'reserve'));
    disk.fill();
    const error = await server.restart().catch((one: unknown) => one);
    expect(String(error)).toMatch(fullSentence);
    expect(filesBelow(disk.path).filter((name) => /limner\.lock|\.tmp$/.test(name))).toEqual([]);
  });

  it('refuses an upload of images with 507 and leaves no part of it', async () => {
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    const images = await makeImages(6, { width: 1600, height: 1200, format: 'png' });
    disk.fill(200_000);
    const error = await refusal(client.uploadImages(id, images));
    expect(error.status).toBe(507);
    expect(JSON.stringify(error.body)).toMatch(fullSentence);
    expect(filesBelow(join(server.dataDir, 'data', 'uploads'))).toEqual([]);

    disk.free();
    await client.finished(await client.uploadImages(id, images));
    expect((await client.meta('tasks', id)).size).toBe(images.length);
  });

  it('fails an import with the sentence, shows the old annotations, and imports when there is space', async () => {
    const old = shown(await client.changeAnnotations('tasks', taskId, 'create', batch(1)));
    const upload = await client.uploadForImport('tasks', taskId, 'COCO 1.0', { path: await cocoFile(12_000) });
    disk.fill(300_000);
    const failed = await client.ended(await client.finishImport(upload));
    expect(failed.status).toBe('failed');
    expect(failed.message).toMatch(fullSentence);
    expect(server.isRunning()).toBe(true);
    expect(await annotations()).toEqual(old);
    expect(storeProblems(server.dataDir)).toEqual([]);

    disk.free();
    await client.importAnnotations('tasks', taskId, 'COCO 1.0', { path: await cocoFile(12_000) });
    expect(await annotations()).toHaveLength(12_000);
  });

  it('fails an export without space with the sentence, and leaves no part of a file', async () => {
    await server.stop();
    // Temporary files are on the full disk as well.
    server = await startServer({ dataDir: server.dataDir, env: { LIMNER_TMPDIR: disk.path } });
    client = await signIn(server);
    await client.importAnnotations('tasks', taskId, 'COCO 1.0', { path: await cocoFile(12_000) });
    const before = await annotations();
    const exports = join(server.dataDir, 'data', 'exports');
    disk.fill(200_000);
    const failed = await client.ended(await client.startExport('tasks', taskId, 'COCO 1.0'));
    expect(failed.status).toBe('failed');
    expect(failed.message).toMatch(fullSentence);
    expect(failed.result_url).toBeNull();
    expect(filesBelow(exports)).toEqual([]);
    expect(await annotations()).toEqual(before);

    disk.free();
    await client.exportDataset('tasks', taskId, 'COCO 1.0', join(folder, 'export.zip'));
    expect(filesBelow(exports)).toHaveLength(1);
  });

  it('answers reads while nothing can be written, and reports when it is well again', async () => {
    disk.fill();
    await drawUntilRefused();
    const reads = [
      '/api/tasks',
      '/api/jobs',
      `/api/labels?task_id=${taskId}`,
      '/api/users/self',
      `/api/tasks/${taskId}/preview`,
    ];
    for (const path of reads) expect((await client.call('GET', path)).status, path).toBe(200);
    disk.free();
    expect((await client.call('GET', '/api/server/health/')).status).toBe(200);
  });
});

const manyLabels = () =>
  Array.from({ length: 400 }, (_, index) => ({ name: `label ${index} ${'x'.repeat(50)}`, type: 'any' as const }));
