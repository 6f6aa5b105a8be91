import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
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

const calls = 10;
/** Equal to the number of threads that Limner gives a model. */
const threads = Math.max(1, Math.min(8, availableParallelism() - 1));

/** Time from an ONNX file to its first boxes, and of a frame's call beside onnxruntime-node alone. */
export async function bench({ rounds, entry }: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const path = join(folder, 'detector.onnx');
    await writeFile(path, layeredDetector());
    await using server = await startServer({ entry, dataDir: join(folder, 'data') });
    const client = await signIn(server);
    const probe = createHttpProbe(server.url, await tokenHeader(server), 1);
    const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const;
    const picture = sharp({ create: { width: 1920, height: 1080, channels: 3, background: '#000', noise } });
    const bytes = await picture.jpeg({ quality: 80 }).toBuffer();
    const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, [{ name: 'frame.jpg', bytes }]);
    const [firsts, own, bare]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < (rounds ?? 3); round += 1) {
      const name = `detector-${round}`;
      const text = JSON.stringify({ task: task.id, frame: 0 });
      const call = async () =>
        requireGood(await probe.send('POST', `/api/lambda/functions/${name}`, text)).milliseconds;
      const begun = performance.now();
      const found = await client.good<ModelFileInspection>('POST', '/api/models/files/inspect', { json: { path } });
      const json = { id: found.id, decoder: null, name, description: found.description };
      await client.good('POST', '/api/models/files', { json });
      await call();
      firsts.push(performance.now() - begun);
      const anchor = [path, String(detectorSide), String(calls), String(threads)];
      bare.push(...(await runAnchor<{ milliseconds: readonly number[] }>('bare-model.ts', anchor)).milliseconds);
      for (let time = 0; time < calls; time += 1) own.push(await call());
    }
    printTable(
      `A detector of ${detectorSide} × ${detectorSide} pixels on an image of 1920 × 1080: ${own.length} calls`,
      ['file to first boxes', 'a call, p50', 'p95', 'onnxruntime-node alone, p50', 'ratio'],
      [
        [
          inMilliseconds(median(firsts)),
          inMilliseconds(median(own)),
          inMilliseconds(percentile(own, 0.95)),
          inMilliseconds(median(bare)),
          asRatio(median(own), median(bare)),
        ],
      ],
    );
    printNote(
      'The file is inspected with a first run, added with a second one, and called. A call also decodes the image, ' +
        'resizes it, sends its tensor to the process of the model and reads the boxes.',
    );
    probe.close();
  });
}
