import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeShapes } from '../../bench/support/shapes.ts';
import { type BucketServer, startBucketServer } from '../../support/bucket-server.ts';
import { makeZip } from '../../support/craft-zip.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImages, type NamedImage } from '../../support/images.ts';
import { connectServer } from '../../support/remote-pair.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

const imageCount = 120;
const shapeCount = 24_000;
const predictionCount = 6000;

/** Data that every kind of background work can work on, and files that it can read. */
export interface World {
  readonly server: RunningServer;
  readonly folder: string;
  readonly images: readonly NamedImage[];
  readonly task: number;
  readonly job: number;
  readonly label: number;
  readonly project: number;
  readonly replicated: number;
  readonly video: number;
  readonly predictions: number;
  readonly files: Readonly<Record<'annotations' | 'dataset' | 'backup' | 'film' | 'images', string>>;
  readonly detector: { readonly close: () => void };
  readonly far: Far;
  readonly bucket: { readonly id: number; readonly server: BucketServer };
}

/** Another workbench that plays a CVAT server, connected to this one. */
export interface Far {
  readonly client: TestClient;
  readonly connection: number;
  readonly job: number;
  readonly shapeCount: number;
  readonly stop: () => Promise<unknown>;
}

async function startFar(client: TestClient, images: readonly NamedImage[]): Promise<Far> {
  const server = await startServer();
  const far = await signIn(server);
  const { id: task } = await far.taskWithImages({ name: 'far away', labels: [{ name: 'car' }] }, images);
  const [[job], [label]] = [await far.jobs(task), await far.labels(task)];
  const shapes = makeShapes(3000, label!.id).map((shape, at) => ({ ...shape, frame: at % images.length }));
  await far.replaceAnnotations('jobs', job!.id, { shapes });
  const connection = await connectServer(client, far);
  return { client: far, connection, job: job!.id, shapeCount: shapes.length, stop: server.stop };
}

async function startBucket(client: TestClient, images: readonly NamedImage[]): Promise<World['bucket']> {
  const server = await startBucketServer();
  for (const { name, bytes } of images) server.objects.set(name, bytes);
  const { id } = await client.good<{ id: number }>('POST', '/api/cloudstorages', { json: server.storage });
  return { id, server };
}

const configuration = JSON.stringify({
  metadata: { name: 'far', annotations: { name: 'far', type: 'detector', spec: '[{"id":0,"name":"car"}]' } },
});

/** A function at an address that takes some milliseconds for each image. */
async function startDetector(client: TestClient) {
  const found = [{ label: 'car', type: 'rectangle', points: [1, 1, 5, 5], confidence: '0.9' }];
  const detector = createServer((request, answer) => {
    request.resume().on('end', () => {
      answer.setHeader('Content-Type', 'application/json');
      setTimeout(() => answer.end(JSON.stringify(found)), 5);
    });
  });
  await new Promise<void>((resolve) => detector.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(detector.address() as AddressInfo).port}/`;
  await client.good('POST', '/api/models/endpoints', { json: { configuration, url } });
  return { close: () => void detector.close() };
}

async function manyImages(): Promise<NamedImage[]> {
  const few = await makeImages(20, { width: 640, height: 480 });
  return Array.from({ length: imageCount }, (_, index) => ({
    name: `image-${String(index).padStart(5, '0')}.jpg`,
    bytes: Buffer.concat([few[index % few.length]!.bytes, Buffer.from(`${index}`)]),
  }));
}

function film(file: string): void {
  const command = '-v error -f lavfi -i testsrc=size=320x240:rate=25 -frames:v 500 -g 25 -pix_fmt yuv420p';
  execFileSync('ffmpeg', [...command.split(' '), file]);
}

async function replicatedTask(client: TestClient, images: readonly NamedImage[]): Promise<number> {
  const task = await client.taskWithImages(
    { name: 'twice', labels: [{ name: 'car' }], consensus_replicas: 2 },
    images.slice(0, 40),
  );
  const [label] = await client.labels(task.id);
  const shapes = makeShapes(4000, label!.id).map((shape, at) => ({ ...shape, frame: at % 40 }));
  const jobs = await client.jobs(task.id);
  for (const job of jobs.filter(({ parent_job_id: parent }) => parent !== null)) {
    await client.replaceAnnotations('jobs', job.id, { shapes });
  }
  return task.id;
}

/** A ground truth of some frames, for quality reports. */
async function addTruth(client: TestClient, task: number, label: number): Promise<void> {
  const frames = Array.from({ length: 40 }, (_, index) => index);
  const json = { type: 'ground_truth', task_id: task, frame_selection_method: 'manual', frames };
  const truth = await client.good<{ id: number }>('POST', '/api/jobs', { json });
  const shapes = makeShapes(4000, label).map((shape, at) => ({ ...shape, frame: at % 40 }));
  await client.replaceAnnotations('jobs', truth.id, { shapes });
  await client.good('PATCH', `/api/jobs/${truth.id}`, { json: { stage: 'acceptance', state: 'completed' } });
}

export async function createWorld(folder: string): Promise<World> {
  const server = await startServer({ dataDir: join(folder, 'data') });
  const client = await signIn(server);
  const images = await manyImages();
  const files = {
    annotations: join(folder, 'annotations.zip'),
    dataset: join(folder, 'dataset.zip'),
    backup: join(folder, 'backup.zip'),
    film: join(folder, 'film.mp4'),
    images: join(folder, 'images.zip'),
  };
  film(files.film);
  for (const { name, bytes } of images) writeFileSync(join(folder, name), bytes);
  writeFileSync(files.images, makeZip(Object.fromEntries(images.map(({ name, bytes }) => [name, bytes]))));
  const project = await client.createProject('Streets', [{ name: 'car' }]);
  const { id: task } = await client.taskWithImages({ name: 'street', labels: [{ name: 'car' }] }, images);
  const [job] = await client.jobs(task);
  const [label] = await client.labels(task);
  const shapes = makeShapes(shapeCount, label!.id).map((shape, at) => ({ ...shape, frame: at % imageCount }));
  await client.replaceAnnotations('jobs', job!.id, { shapes });
  await client.exportDataset('tasks', task, 'COCO 1.0', files.annotations);
  await client.exportDataset('tasks', task, 'COCO 1.0', files.dataset, true);
  const { rq_id: backup } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${task}/backup/export`);
  await client.download((await client.finished(backup)).result_url ?? '', files.backup);
  await addTruth(client, task, label!.id);
  const { id: video } = await client.createTask({ name: 'film', labels: [{ name: 'car' }] });
  await client.finished(await client.useServerFiles(video, [files.film]));
  const predictions = await client.good<{ id: number }>('POST', `/api/limner/tasks/${task}/predictions`, {
    json: { name: 'model' },
  });
  await client.good('POST', `/api/limner/predictions/${predictions.id}/objects`, {
    json: { shapes: shapes.slice(0, predictionCount) },
  });
  await client.good('PATCH', `/api/limner/predictions/${predictions.id}`, { json: { state: 'ready' } });
  await client.good('PATCH', '/api/limner/analytics', { json: { enabled: true } });
  return {
    server,
    folder,
    images,
    task,
    job: job!.id,
    label: label!.id,
    project: project.id,
    replicated: await replicatedTask(client, images),
    video,
    predictions: predictions.id,
    files,
    detector: await startDetector(client),
    far: await startFar(client, images),
    bucket: await startBucket(client, images),
  };
}
