import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ModelFileInspection } from '../../preload/contract/schema/model-files.ts';
import { signIn } from '../support/client.ts';
import { colourEncoder } from '../support/onnx/region-grower.ts';
import { startServer } from '../support/server.ts';
import { tokenHeader } from './edit.ts';
import { runAnchor } from './support/anchor-process.ts';
import { createHttpProbe, requireGood } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { samDecoder } from './support/sam-decoder.ts';
import { asRatio, inMegabytes, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const sizes = [
  [640, 480],
  [1920, 1080],
  [4000, 3000],
] as const;
const clicks = 20;
/** Longest side of a requested mask, in pixels. */
const longestMask = 1024;

interface Bare {
  readonly milliseconds: readonly number[];
  readonly peakBytes: number;
}

/** Time from a click to its mask, for clicks after the first one on an image. Compares with the decoder alone. */
export async function bench({ rounds, entry }: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const [encoder, decoder] = [join(folder, 'encoder.onnx'), join(folder, 'decoder.onnx')];
    await writeFile(encoder, colourEncoder());
    await writeFile(decoder, samDecoder());
    await using server = await startServer({ entry, dataDir: join(folder, 'data') });
    const client = await signIn(server);
    const look = (path: string) =>
      client.good<ModelFileInspection>('POST', '/api/models/files/inspect', { json: { path } });
    const [one, other] = [await look(encoder), await look(decoder)];
    const json = { id: one.id, decoder: other.id, name: 'segment', description: one.description };
    await client.good('POST', '/api/models/files', { json });
    const probe = createHttpProbe(server.url, await tokenHeader(server), 1);
    const rows: string[][] = [];
    for (const [width, height] of sizes) {
      const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const;
      const picture = sharp({ create: { width, height, channels: 3, background: '#000', noise } });
      const bytes = await picture.jpeg({ quality: 80 }).toBuffer();
      const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, [{ name: 'frame.jpg', bytes }]);
      const click = async (place: number): Promise<number> => {
        const body = { task: task.id, frame: 0, pos_points: [[width / 2 + place, height / 2]], neg_points: [] };
        const text = JSON.stringify({ ...body, obj_bbox: null });
        return requireGood(await probe.send('POST', '/api/lambda/functions/segment', text)).milliseconds;
      };
      const shrink = Math.min(1, longestMask / Math.max(width, height));
      const requested = [width, height].map((length) => String(Math.round(length * shrink)));
      const [own, bare, firsts]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < (rounds ?? 3); round += 1) {
        firsts.push(await click(-1));
        bare.push(
          ...(await runAnchor<Bare>('bare-decoder.ts', [decoder, ...requested, String(clicks), '1'])).milliseconds,
        );
        for (let place = 0; place < clicks; place += 1) own.push(await click(place + 20 * round));
      }
      rows.push([
        `${width} × ${height}`,
        inMilliseconds(median(own)),
        inMilliseconds(percentile(own, 0.95)),
        inMilliseconds(median(bare)),
        asRatio(median(own), median(bare)),
        inMilliseconds(firsts[0] ?? Number.NaN),
      ]);
    }
    printTable(
      `A click after the first, until its mask is answered: ${clicks * (rounds ?? 3)} clicks each`,
      ['picture', 'p50', 'p95', 'the decoder alone, p50', 'ratio', 'the first click'],
      rows,
    );
    printNote(
      'The decoder has the layers of Segment Anything and weights by chance; the encoder is a small one, so that the ' +
        `first click says nothing of a real one. Memory of the service at most ${inMegabytes(await server.peakMemoryBytes())}.`,
    );
    probe.close();
  });
}
