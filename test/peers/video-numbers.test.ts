import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../main/formats/io/open-source.ts';
import { chunkPictures } from '../support/chunk-images.ts';
import { numberOf, shownBy } from '../support/counter-video.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { createRandom, pickSome } from '../support/random.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { sharedMedia } from './shared-fixtures.ts';

const chunkSize = 36;

/** Frame numbers as decoded by ffmpeg, from the first frame to the last. */
function numbersByFfmpeg(file: string): number[] {
  const args = ['-v', 'error', '-i', file, '-vsync', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 1024 ** 3 });
  const size = 320 * 240 * 3;
  return Array.from({ length: bytes.length / size }, (_, frame) =>
    numberOf({ data: bytes.subarray(frame * size, (frame + 1) * size), width: 320, height: 240 }),
  );
}

describe.each(['counter.mp4', 'counter.webm', 'counter-vfr.mp4'])('every frame of %s shows its number', (name) => {
  const folder = sharedFolder();
  const file = join(sharedMedia, 'video', name);
  const expected = numbersByFfmpeg(file);
  const numbers = expected.map((_, frame) => frame);
  let server: RunningServer;
  let client: TestClient;

  beforeAll(async () => {
    server = await startServer();
    client = await signIn(server);
  });
  afterAll(async () => {
    await server.stop();
  });

  /** A new task has an empty cache, so everything is decoded. */
  async function newTask(segment_size = 0): Promise<number> {
    const { id } = await client.createTask({ labels: [{ name: 'thing' }], segment_size, overlap: 0 });
    await client.finished(await client.useServerFiles(id, [file], { chunk_size: chunkSize }));
    return id;
  }
  async function jobOf(taskId: number): Promise<number> {
    return (await client.jobs(taskId))[0]?.id ?? 0;
  }

  it.each([
    ['forwards', numbers, 'compressed'],
    ['backwards', numbers.toReversed(), 'compressed'],
    ['30 at random', pickSome(createRandom(7), numbers, 30), 'original'],
  ] as const)('shows it one by one, %s', async (_, order, quality) => {
    const job = await jobOf(await newTask());
    const shown: number[] = [];
    for (const number of order) {
      shown.push(
        await shownBy(await client.bytes(`/api/jobs/${job}/data?type=frame&number=${number}&quality=${quality}`)),
      );
    }
    expect(shown).toEqual(order.map((number) => expected[number]));
  });

  it.each(['compressed', 'original'])('shows it in %s chunks, from the last to the first', async (quality) => {
    const job = await jobOf(await newTask());
    const last = Math.floor((expected.length - 1) / chunkSize);
    for (let number = last; number >= 0; number -= 1) {
      const chunk = await client.bytes(`/api/jobs/${job}/data?type=chunk&number=${number}&quality=${quality}`);
      const shown: number[] = [];
      for (const picture of await chunkPictures(chunk)) shown.push(await shownBy(picture));
      expect(shown).toEqual(expected.slice(number * chunkSize, (number + 1) * chunkSize));
    }
  });

  it('shows it in the previews of jobs of one frame each', async () => {
    const jobs = await client.jobs(await newTask(1));
    const shown: number[] = [];
    for (const { id } of jobs) shown.push(await shownBy(await client.bytes(`/api/jobs/${id}/preview`)));
    expect(shown).toEqual(expected);
  });

  it('shows it in an export with images', async () => {
    const archive = join(folder, 'export.zip');
    const task = await newTask();
    const [label] = await client.labels(task);
    const tags = numbers.map((frame) => ({ frame, label_id: label?.id ?? 0, attributes: [] }));
    await client.changeAnnotations('tasks', task, 'create', { version: 0, tags, shapes: [], tracks: [] });
    await client.exportDataset('tasks', task, 'CVAT for images 1.1', archive, true);
    const source = await openSource({ path: archive, name: 'export.zip' });
    const shown = new Map<number, number>();
    for (const { path } of source.entries) {
      const frame = /frame_(\d+)\.png$/i.exec(path)?.[1];
      if (frame !== undefined) shown.set(Number(frame), await shownBy(await source.read(path)));
    }
    await source.close();
    expect(numbers.map((frame) => shown.get(frame))).toEqual(expected);
  });
});
