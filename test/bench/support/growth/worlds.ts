import { createWriteStream, existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { makeFrameFolder } from '../../../support/tiny-frames.ts';
import type { NewTask } from '../../../support/client.ts';
import { imageName } from '../generate-coco.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

export interface TaskWorld {
  readonly taskId: number;
  /** The first job. */
  readonly jobId: number;
  readonly labelId: number;
  readonly frames: number;
}

const pollMs = 50;
const mostPerRequest = 20_000;

/** Creates the folder of frames once; later services of the run use the same one. */
async function frameFolder(shared: string, frames: number): Promise<string> {
  const folder = join(shared, `frames-${frames}`);
  if (!existsSync(folder)) await makeFrameFolder(folder, frames, imageName);
  return folder;
}

interface TaskSize {
  readonly frames: number;
  readonly jobs?: number;
  readonly isCopied?: boolean;
}

export async function createTask(
  { client }: ServiceUnderTest,
  shared: string,
  { frames, jobs = 1, isCopied = false }: TaskSize,
  more: NewTask = {},
): Promise<TaskWorld> {
  const folder = await frameFolder(shared, frames);
  const labels = more.project_id === undefined ? { labels: [{ name: 'thing' }] } : {};
  const segments = jobs === 1 ? {} : { segment_size: Math.ceil(frames / jobs), overlap: 0 };
  const { id: taskId } = await client.createTask({ name: `${frames} frames`, ...labels, ...segments, ...more });
  await client.finished(await client.useServerFiles(taskId, [folder], { copy_data: isCopied }), pollMs);
  const [job] = await client.jobs(taskId);
  const [label] = await client.labels(taskId);
  return { taskId, jobId: job?.id ?? 0, labelId: label?.id ?? 0, frames };
}

const cornersOf = (index: number): readonly [number, number] => [(index * 7) % 560, (index * 11) % 420];

export const boxAt = (index: number): number[] => {
  const [x, y] = cornersOf(index);
  return [x, y, x + 40 + (index % 16), y + 30 + (index % 20)];
};

export const makeBoxes = (count: number, { frames, labelId }: Pick<TaskWorld, 'frames' | 'labelId'>, first = 0) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'rectangle' as const,
    frame: (first + index) % frames,
    label_id: labelId,
    points: boxAt(first + index),
  }));

/** A COCO file of boxes, spread evenly over the frames. Written once for all services of the run. */
async function cocoFile(shared: string, frames: number, boxes: number): Promise<string> {
  const path = join(shared, `boxes-${frames}-${boxes}.json`);
  if (existsSync(path)) return path;
  const output = createWriteStream(path);
  const put = async (text: string) => (output.write(text) ? undefined : once(output, 'drain'));
  output.write('{"categories":[{"id":1,"name":"thing"}],"images":[');
  for (let index = 0; index < frames; index += 1) {
    const image = { id: index + 1, file_name: imageName(index), width: 640, height: 480 };
    await put(`${index > 0 ? ',' : ''}${JSON.stringify(image)}`);
  }
  output.write('],"annotations":[');
  for (let index = 0; index < boxes; index += 1) {
    const [x = 0, y = 0, right = 0, bottom = 0] = boxAt(index);
    const bbox = [x, y, right - x, bottom - y];
    const common = { id: index + 1, image_id: (index % frames) + 1, category_id: 1, iscrowd: 0, segmentation: [] };
    await put(`${index > 0 ? ',' : ''}${JSON.stringify({ ...common, bbox, area: bbox[2]! * bbox[3]! })}`);
  }
  output.end(']}');
  await finished(output);
  return path;
}

export async function importBoxes(
  { client }: ServiceUnderTest,
  shared: string,
  { taskId, frames }: TaskWorld,
  boxes: number,
): Promise<void> {
  const path = await cocoFile(shared, frames, boxes);
  const id = await client.startImport('tasks', taskId, 'COCO 1.0', { path, isHandedOver: true });
  await client.finished(id, pollMs);
}

interface TrackSize {
  readonly tracks: number;
  /** Frames between two keyframes. */
  readonly every: number;
}

const trackOf = ({ frames, labelId }: TaskWorld, track: number, every: number) => ({
  frame: 0,
  label_id: labelId,
  shapes: Array.from({ length: Math.ceil(frames / every) }, (_, place) => ({
    type: 'rectangle' as const,
    frame: place * every,
    points: boxAt(track + place * 13),
  })),
});

/** Creates tracks that are visible on all frames, in requests of a limited size. */
export async function createTracks(service: ServiceUnderTest, world: TaskWorld, size: TrackSize): Promise<void> {
  const portion = Math.max(1, Math.floor(mostPerRequest / (world.frames / size.every)));
  for (let at = 0; at < size.tracks; at += portion) {
    const count = Math.min(portion, size.tracks - at);
    const tracks = Array.from({ length: count }, (_, index) => trackOf(world, at + index, size.every));
    await service.client.changeAnnotations('tasks', world.taskId, 'create', { tracks });
  }
}

/** Runs a background request to its end. */
export async function request({ client }: ServiceUnderTest, path: string, json?: object): Promise<unknown> {
  const { rq_id: id } = await client.good<{ rq_id: string }>('POST', path, json === undefined ? {} : { json });
  return client.finished(id, pollMs);
}

export const exportOf =
  (format: string, isWithImages = false) =>
  (world: TaskWorld, service: ServiceUnderTest) =>
    request(
      service,
      `/api/tasks/${world.taskId}/dataset/export?format=${encodeURIComponent(format)}&save_images=${isWithImages}`,
    );
