import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../main/formats/io/open-source.ts';
import { findVideoTools } from '../../main/media/video/ffmpeg.ts';
import type { VideoTimes } from '../../preload/contract/schema/resources.ts';
import { chunkPictures } from '../support/chunk-images.ts';
import { entriesOf } from '../support/zip-entries.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const tools = await findVideoTools();
const frameCount = 100;

/** The number in a frame: of eight columns, column b is bright if bit b is set. */
async function numberOf(picture: Buffer): Promise<number> {
  const { data, info } = await sharp(picture).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const bits = Array.from({ length: 8 }, (_, bit) => {
    const x = Math.floor(((bit + 0.5) * info.width) / 8);
    return (data[(Math.floor(info.height / 2) * info.width + x) * info.channels] ?? 0) > 128 ? 1 << bit : 0;
  });
  return bits.reduce((sum, bit) => sum + bit, 0);
}

describe.skipIf(!tools || process.platform === 'win32')('frames of a video', () => {
  const folder = sharedFolder();
  let server: RunningServer;
  let client: TestClient;
  let taskId: number;
  let jobId: number;

  const launches = (): string[] => {
    const log = join(folder, 'launches');
    const names = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    writeFileSync(log, '');
    return names;
  };

  beforeAll(async () => {
    writeFileSync(join(folder, 'launches'), '');
    mkdirSync(join(folder, 'bin'));
    for (const name of ['ffmpeg', 'ffprobe'] as const) {
      const script = `#!/bin/sh\necho ${name} >> '${join(folder, 'launches')}'\nexec '${tools?.[name] ?? ''}' "$@"\n`;
      writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 });
    }
    const video = join(folder, 'counter.mkv');
    const columns = `geq=lum='if(gte(mod(floor(N/pow(2,floor(X/20))),2),1),235,16)':cb=128:cr=128`;
    const source = ['-f', 'lavfi', '-i', `color=c=black:s=160x48:r=25:d=${frameCount / 25}`, '-vf', columns];
    execFileSync(tools?.ffmpeg ?? '', ['-v', 'error', ...source, '-c:v', 'mpeg4', '-q:v', '2', '-g', '12', video]);
    server = await startServer({ env: { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) } });
    client = await signIn(server);
    const task = await client.createTask({ labels: [{ name: 'thing' }] });
    await client.finished(await client.useServerFiles(task.id, [video], { copy_data: true, chunk_size: 30 }));
    taskId = task.id;
    jobId = (await client.jobs(taskId))[0]?.id ?? 0;
    launches();
  });
  afterAll(async () => {
    await server.stop();
  });

  it.each(['compressed', 'original'])('%s: eight requests at once for one frame decode it once', async (quality) => {
    const path = `/api/tasks/${taskId}/data/?type=frame&number=57&quality=${quality}`;
    const pictures = await Promise.all(Array.from({ length: 8 }, () => client.bytes(path)));
    expect(launches()).toEqual(['ffmpeg']);
    expect(await numberOf(pictures[7] ?? Buffer.of())).toBe(57);
    await client.bytes(path);
    expect(launches()).toEqual([]);
  });

  it.each(['compressed', 'original'])('%s chunks contain their frames, of tasks and jobs', async (quality) => {
    launches();
    for (const [target, id] of [
      ['tasks', taskId],
      ['jobs', jobId],
    ] as const) {
      const chunk = await client.bytes(`/api/${target}/${id}/data/?type=chunk&number=1&quality=${quality}`);
      const numbers: number[] = [];
      for (const shown of await chunkPictures(chunk)) numbers.push(await numberOf(shown));
      expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => 30 + index));
    }
    // One decodes, and one more may encode after a query for its encoders.
    expect(launches().length).toBeLessThanOrEqual(3);
  });

  it.each(['compressed', 'original'])('%s chunks of a ground truth of a video are images', async (quality) => {
    const json = { type: 'ground_truth', task_id: taskId, frame_selection_method: 'manual', frames: [3, 40, 57] };
    const truth = await client.good<{ id: number }>('POST', '/api/jobs', { json });
    const chunk = await client.bytes(`/api/jobs/${truth.id}/data/?type=chunk&index=0&quality=${quality}`);
    const entries = await entriesOf(chunk);
    expect(Object.keys(entries)).toEqual(['000000.jpeg', '000001.jpeg', '000002.jpeg']);
    expect(await Promise.all(Object.values(entries).map((bytes) => numberOf(bytes)))).toEqual([3, 40, 57]);
    await client.good('DELETE', `/api/jobs/${truth.id}`);
    launches();
  });

  it('a run over its frames starts the decoder once', async () => {
    launches();
    for (const number of Array.from({ length: 20 }, (_, index) => 5 + index)) {
      const picture = await client.bytes(`/api/jobs/${jobId}/data?type=frame&number=${number}&quality=original`);
      expect(await numberOf(picture)).toBe(number);
    }
    expect(launches()).toEqual(['ffmpeg']);
  });

  it('the file and its frame times are served to clients that decode it', async () => {
    const headers = { Authorization: client.authorization ?? '' };
    const path = `${server.url}/api/limner/jobs/${jobId}/video`;
    const whole = readFileSync(join(folder, 'counter.mkv'));
    const part = await fetch(path, { headers: { ...headers, Range: 'bytes=10-29' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('Content-Range')).toBe(`bytes 10-29/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 30))).toBe(true);
    const times = (await (await fetch(`${path}-times`, { headers })).json()) as VideoTimes;
    expect(times.first).toBe(0);
    expect(times.seconds).toHaveLength(frameCount);
    expect(times.keyframes).toEqual(keyframesOf(join(folder, 'counter.mkv')));
    for (const [frame, time] of times.seconds.entries()) expect(time).toBeCloseTo(frame / 25, 2);
    expect((await fetch(path)).status).toBe(401);
    const images = await client.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(1));
    const other = (await client.jobs(images.id))[0]?.id ?? 0;
    expect((await fetch(`${server.url}/api/limner/jobs/${other}/video`, { headers })).status).toBe(404);
  });

  it('an export with images decodes them in runs', async () => {
    launches();
    const archive = join(folder, 'export.zip');
    await client.exportDataset('tasks', taskId, 'COCO 1.0', archive, true);
    expect(launches().length).toBeLessThanOrEqual(2);
    const source = await openSource({ path: archive, name: 'export.zip' });
    const pictures = source.entries.filter(({ path }) => /\.png$/i.test(path)).map(({ path }) => path);
    expect(pictures).toHaveLength(frameCount);
    for (const number of [0, 36, 99]) {
      const path = pictures.find((name) => name.includes(String(number).padStart(6, '0')));
      expect(await numberOf(await source.read(path ?? ''))).toBe(number);
    }
    await source.close();
  });
});

const keyframesOf = (file: string): number[] =>
  execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'frame=key_frame', '-of', 'csv=p=0', file], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .flatMap((line, frame) => (line.startsWith('1') ? [frame] : []));

describe('the cache of a task', () => {
  it('stays below its limit for any requests', async () => {
    const limit = 1_000_000;
    await using server = await startServer({ env: { LIMNER_MEDIA_CACHE_MB: '1' } });
    const client = await signIn(server);
    const images = await makeImages(60, { width: 640, height: 480 });
    const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, images, { image_quality: 100 });
    const cache = join(server.dataDir, 'data', String(task.id), 'cache');
    let written = 0;
    let most = 0;
    for (const index of images.keys()) {
      const picture = await client.bytes(`/api/tasks/${task.id}/data/?type=frame&number=${index}&quality=compressed`);
      written += picture.length;
      most = Math.max(most, sizeOf(cache));
    }
    expect(written).toBeGreaterThan(2 * limit);
    expect(most).toBeLessThanOrEqual(limit);
    expect(sizeOf(cache)).toBeGreaterThan(limit / 2);
  });
});

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .reduce((sum, item) => sum + statSync(join(item.parentPath, item.name)).size, 0);
}
