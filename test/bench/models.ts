import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Batch } from '../../preload/contract/schema/batches.ts';
import type { ModelFileInspection } from '../../preload/contract/schema/model-files.ts';
import { signIn } from '../support/client.ts';
import { startServer } from '../support/server.ts';
import { tokenHeader } from './edit.ts';
import { runAnchor } from './support/anchor-process.ts';
import { createHttpProbe, requireGood } from './support/http-probe.ts';
import { detectorSide, layeredDetector } from './support/layered-detector.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const frames = 30;
/** More than the service keeps decoded, so that a frame is decoded again in each of these calls. */
const calls = 12;
/** Equal to the number of threads that Limner gives a model. */
const threads = Math.max(1, Math.min(8, availableParallelism() - 1));

type Client = Awaited<ReturnType<typeof signIn>>;

async function noisyPicture(seed: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const;
  const create = { width: 1920, height: 1080, channels: 3, background: '#000', noise } as const;
  return sharp({ create })
    .linear(1, seed % 7)
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** Milliseconds per frame of a batch, by the times that the service wrote. */
async function batchFrame(client: Client, task: number, name: string): Promise<number> {
  const json = { function: name, targets: [{ task }], results: 'predictions' };
  const { id } = await client.good<Batch>('POST', '/api/models/batches', { json });
  for (;;) {
    const batch = await client.good<Batch>('GET', `/api/models/batches/${id}`);
    if (batch.state === 'failed') throw new Error(batch.message);
    if (batch.state === 'finished') {
      return (Date.parse(batch.finished_date ?? '') - Date.parse(batch.started_date ?? '')) / batch.frame_count;
    }
    await sleep(100);
  }
}

/** Time from an ONNX file to its first boxes, and of a frame beside onnxruntime-node alone. */
export async function bench({ rounds, entry }: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const path = join(folder, 'detector.onnx');
    await writeFile(path, layeredDetector());
    await using server = await startServer({ entry, dataDir: join(folder, 'data') });
    const client = await signIn(server);
    const probe = createHttpProbe(server.url, await tokenHeader(server), 1);
    const images = await Promise.all(
      Array.from({ length: frames }, async (_, index) => ({
        name: `${String(index).padStart(3, '0')}.jpg`,
        bytes: await noisyPicture(index),
      })),
    );
    const image = join(folder, 'frame.jpg');
    await writeFile(image, images[0]?.bytes ?? '');
    const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, images);
    const [firsts, bare, decoding]: [number[], number[], number[]] = [[], [], []];
    const own = { decoded: [] as number[], cold: [] as number[], batch: [] as number[] };
    for (let round = 0; round < (rounds ?? 3); round += 1) {
      const name = `detector-${round}`;
      const call = async (frame: number) => {
        const text = JSON.stringify({ task: task.id, frame });
        return requireGood(await probe.send('POST', `/api/lambda/functions/${name}`, text)).milliseconds;
      };
      const begun = performance.now();
      const found = await client.good<ModelFileInspection>('POST', '/api/models/files/inspect', { json: { path } });
      const json = { id: found.id, decoder: null, name, description: found.description };
      await client.good('POST', '/api/models/files', { json });
      await call(0);
      firsts.push(performance.now() - begun);
      const anchor = [path, String(detectorSide), String(calls), String(threads), image];
      type Bare = Readonly<Record<'milliseconds' | 'decoding', readonly number[]>>;
      const alone = await runAnchor<Bare>('bare-model.ts', anchor);
      bare.push(...alone.milliseconds);
      decoding.push(...alone.decoding);
      for (let time = 0; time < calls; time += 1)
        own.cold.push(await call(1 + ((round * calls + time) % (frames - 1))));
      await call(0);
      for (let time = 0; time < calls; time += 1) own.decoded.push(await call(0));
      own.batch.push(await batchFrame(client, task.id, name));
    }
    const floor = median(bare) + median(decoding);
    const row = (title: string, times: readonly number[], least = '') => [
      title,
      inMilliseconds(median(times)),
      inMilliseconds(percentile(times, 0.95)),
      asRatio(median(times), median(bare)),
      least,
    ];
    printTable(
      `A detector of ${detectorSide} × ${detectorSide} pixels on images of 1920 × 1080, ${threads} threads`,
      ['', 'p50', 'p95', 'ratio to the model alone', 'floor'],
      [
        row('onnxruntime-node alone, same tensor', bare),
        row('JPEG decoding alone', decoding),
        row('call, frame already decoded', own.decoded),
        row('call, cold frame', own.cold, asRatio(floor, median(bare))),
        row(`batch of ${frames} cold frames, per frame`, own.batch),
        row('file to first boxes', firsts),
      ],
    );
    printNote(
      'A call also sends the tensor to the process of the model and reads the boxes; a cold frame is decoded and ' +
        'resized before. Its floor is the model alone plus the decoding alone. In a batch the next frame is prepared ' +
        'while the model runs.',
    );
    probe.close();
  });
}
