import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LambdaRequest } from '../../../preload/contract/schema/functions.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { createClient } from '../../support/client.ts';
import { pythonBase } from '../../support/functions/docker-harness.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { startServer } from '../../support/server.ts';

const video = join(projectRoot, '..', 'shared', 'media', 'video', 'pedestrians.mp4');
const sample = join(projectRoot, 'resources', 'functions', 'colored-objects');
const frameCount = 150;
const failingFrame = 37;
/** The handler below refuses frames of this width. */
const failingWidth = 48;

/** The sample's detector, except that it fails on one frame. */
const handler = `
import base64
from detector import handler as detect, init_context
from png import read_png

def handler(context, event):
    if read_png(base64.b64decode(event.body["image"])).width == ${failingWidth}:
        raise RuntimeError("no tensor for this frame")
    return detect(context, event)
`;

const folder = mkdtempSync(join(tmpdir(), 'limner-annotate-'));
const frames = join(folder, 'frames');
mkdirSync(frames);
await makeFrames(frames);
const functionFolder = join(folder, 'function');
mkdirSync(functionFolder);
writeFileSync(join(functionFolder, 'function.yaml'), readFileSync(join(sample, 'function.yaml')));
writeFileSync(join(functionFolder, 'detector.py'), readFileSync(join(sample, 'main.py')));
writeFileSync(join(functionFolder, 'png.py'), readFileSync(join(sample, 'png.py')));
writeFileSync(join(functionFolder, 'main.py'), handler);
const server = await startServer({ dataDir: join(folder, 'data') });
const client = createClient(server.url, server.authorization);
await client.good('POST', '/api/models/functions', { json: { directory: functionFolder, base_image: pythonBase } });
for (;;) {
  const model = await client.good<{ state: string; message: string }>('GET', '/api/models/functions/colored-objects');
  if (model.state === 'ready') break;
  expect(model.state, model.message).toBe('building');
  await sleep(100);
}
afterAll(async () => {
  await client.call('DELETE', '/api/models/functions/colored-objects');
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes frames of a video if one is available, otherwise drawn ones; one has another size. */
async function makeFrames(target: string): Promise<void> {
  if (existsSync(video)) {
    const args = ['-loglevel', 'error', '-i', video, '-start_number', '0', '-q:v', '3', join(target, '%03d.jpg')];
    await promisify(execFile)('ffmpeg', args);
  } else {
    for (let index = 0; index < frameCount; index += 1) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="#ddd"/>
        <rect x="${index * 3}" y="120" width="60" height="110" fill="#b22"/></svg>`;
      const file = join(target, `${String(index).padStart(3, '0')}.jpg`);
      await sharp(Buffer.from(svg)).jpeg().toFile(file);
    }
  }
  const odd = sharp({ create: { width: failingWidth, height: 36, channels: 3, background: '#888' } });
  await odd.jpeg().toFile(join(target, `${String(failingFrame).padStart(3, '0')}.jpg`));
}

async function newTask(name: string): Promise<Task> {
  const labels = ['red', 'orange', 'yellow', 'green', 'cyan', 'blue', 'purple', 'dark', 'gray', 'light'];
  const frames = join(folder, 'frames');
  const images = readdirSync(frames)
    .toSorted()
    .map((file) => ({ name: file, bytes: readFileSync(join(frames, file)) }));
  return client.taskWithImages({ name, labels: labels.map((label) => ({ name: label, type: 'rectangle' })) }, images);
}

const start = (task: Task, more: object = {}) =>
  client.good<LambdaRequest>('POST', '/api/lambda/requests', {
    json: { function: 'colored-objects', task: task.id, ...more },
  });
const look = (id: string) => client.good<LambdaRequest>('GET', `/api/lambda/requests/${encodeURIComponent(id)}`);

async function ended(id: string, until: (request: LambdaRequest) => boolean = () => false) {
  const seen = new Set<number>();
  for (;;) {
    const request = await look(id);
    seen.add(request.progress);
    if (until(request) || request.status === 'finished' || request.status === 'failed') return { request, seen };
    await sleep(40);
  }
}

describe('a whole task through a container', () => {
  let whole: Task;
  const boxes = async (task: Task) =>
    (await client.annotations('tasks', task.id)).shapes.map(
      ({ frame, label_id: label, points, score }) => `${frame} ${label} ${points.join()} ${score}`,
    );
  const framesOf = (found: readonly string[]) => [...new Set(found.map((box) => Number(box.split(' ')[0])))];

  beforeAll(async () => {
    whole = await newTask('the whole');
    expect(whole.size).toBe(frameCount);
  });

  test('annotates 150 frames with progress; the failing one is reported and skipped', async () => {
    const { id } = await start(whole);
    const { request, seen } = await ended(id);
    expect(request).toMatchObject({ status: 'finished', progress: 100 });
    expect(seen.size).toBeGreaterThan(10);
    const found = await boxes(whole);
    expect(framesOf(found)).toHaveLength(frameCount - 1);
    expect(framesOf(found)).not.toContain(failingFrame);
    const report = await client.report(id);
    expect(report.invalid).toEqual([
      { file: '037.jpg', at: `frame ${failingFrame}`, reason: expect.stringContaining('no tensor for this frame') },
    ]);
    const shapes = (await client.annotations('tasks', whole.id)).shapes;
    expect(new Set(shapes.map(({ source }) => source))).toEqual(new Set(['auto']));
    expect(shapes.every(({ score }) => (score ?? 0) >= 0.5 && (score ?? 0) < 1)).toBe(true);
  });

  test('keeps finished frames when cancelled in the middle; resumed, it ends with the same result and no duplicates', async () => {
    const task = await newTask('in two halves');
    const { id } = await start(task);
    await ended(id, ({ progress }) => progress >= 40);
    await client.good('DELETE', `/api/lambda/requests/${encodeURIComponent(id)}`);
    const half = framesOf(await boxes(task));
    expect(half.length).toBeGreaterThan(40);
    expect(half.length).toBeLessThan(frameCount - 20);

    const again = await start(task, { resume: true });
    const { request } = await ended(again.id);
    expect(request.status).toBe('finished');
    const [labels, wholeLabels] = await Promise.all([task, whole].map(async ({ id: one }) => client.labels(one)));
    const renamed = new Map(
      labels?.map(({ id: one, name }) => [one, wholeLabels?.find((other) => other.name === name)?.id]),
    );
    const inWhole = (box: string) => box.replace(/ \d+ /, (text) => ` ${renamed.get(Number(text))} `);
    expect((await boxes(task)).map(inWhole).toSorted()).toEqual((await boxes(whole)).toSorted());
  });
});
