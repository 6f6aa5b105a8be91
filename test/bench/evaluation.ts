import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { nodeExecutable, projectRoot } from '../support/node-executable.ts';
import { below, createRandom } from '../support/random.ts';
import type { BenchOptions } from './support/options.ts';
import { preparePeers, type Measured } from './support/peers.ts';
import { asRatio, inMegabytes, inSeconds, median } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const size = { images: 5000, truths: 36_000, results: 500_000, categories: 80 };

type Random = ReturnType<typeof createRandom>;
type Box = readonly [number, number, number, number];

const boxOf = (random: Random): Box => [
  below(random, 480),
  below(random, 400),
  4 + below(random, 150),
  4 + below(random, 70),
];

async function writeList(path: string, head: string, tail: string, items: Iterable<object>): Promise<void> {
  const out = createWriteStream(path);
  out.write(head);
  let isFirst = true;
  for (const item of items) {
    if (!out.write(`${isFirst ? '' : ','}${JSON.stringify(item)}`)) await once(out, 'drain');
    isFirst = false;
  }
  out.end(tail);
  await finished(out);
}

/**
 * Boxes are often near each other: half of the results surround a ground truth. One ground truth in a hundred is a
 * crowd.
 */
async function writeScene(folder: string, scale: number): Promise<{ truth: string; results: string }> {
  const random = createRandom(7);
  const [truth, results] = [join(folder, 'truth.json'), join(folder, 'results.json')];
  const images = Math.max(1, Math.round(size.images * scale));
  const count = { truths: Math.round(size.truths * scale), results: Math.round(size.results * scale) };
  const known: { image_id: number; category_id: number; bbox: Box }[] = [];
  const tables = JSON.stringify({
    images: Array.from({ length: images }, (_, id) => ({
      id: id + 1,
      width: 640,
      height: 480,
      file_name: `${id}.jpg`,
    })),
    categories: Array.from({ length: size.categories }, (_, id) => ({ id: id + 1, name: `thing ${id + 1}` })),
  });
  function* truths(): Iterable<object> {
    for (let id = 1; id <= count.truths; id += 1) {
      const bbox = boxOf(random);
      const where = { image_id: 1 + below(random, images), category_id: 1 + below(random, size.categories), bbox };
      known.push(where);
      yield { id, ...where, area: bbox[2] * bbox[3], iscrowd: below(random, 100) === 0 ? 1 : 0 };
    }
  }
  function* found(): Iterable<object> {
    for (let index = 0; index < count.results; index += 1) {
      const score = Math.round(below(random, 1_000_000)) / 1_000_000;
      const near = known[below(random, known.length * 2)];
      if (near === undefined) {
        const where = { image_id: 1 + below(random, images), category_id: 1 + below(random, size.categories) };
        yield { ...where, bbox: boxOf(random), score };
        continue;
      }
      const bbox = near.bbox.map((side) => Math.max(1, side + below(random, 21) - 10));
      yield { image_id: near.image_id, category_id: near.category_id, bbox, score };
    }
  }
  await writeList(truth, `${tables.slice(0, -1)},"annotations":[`, ']}', truths());
  await writeList(results, '[', ']', found());
  return { truth, results };
}

/** Compares COCO's box metrics with pycocotools. Each runs as one process from the files to the numbers. */
export async function bench({ scale, rounds }: BenchOptions): Promise<void> {
  const peers = await preparePeers();
  await withWorkspace(async (folder) => {
    const { truth, results } = await writeScene(folder, scale);
    const program = [nodeExecutable(), join(projectRoot, 'scripts', 'limner.mjs')];
    const command = [...program, 'evaluate', '--truth', truth, '--predictions', results, '--kind', 'bbox', '--json'];
    await peers('run_command.py', [...program, 'formats']);
    const own: (Measured & { readonly output: string })[] = [];
    const others: (Measured & { readonly stats: readonly number[] })[] = [];
    for (let round = 0; round < (rounds ?? 1); round += 1) {
      own.push(await peers('run_command.py', command));
      others.push(await peers('evaluate_pycocotools.py', [truth, results, 'bbox']));
    }
    const numbers = Object.values(JSON.parse(own[0]?.output ?? '{}') as Record<string, number>);
    const farthest = Math.max(...(others[0]?.stats ?? []).map((value, at) => Math.abs(value - (numbers[at] ?? NaN))));
    const timeOf = (all: readonly Measured[]) => median(all.map(({ milliseconds }) => milliseconds));
    const peakOf = (all: readonly Measured[]) => Math.max(...all.map(({ peakBytes }) => peakBytes));
    printTable(
      `COCO evaluation: ${Math.round(size.results * scale).toLocaleString('en')} results of boxes`,
      ['', 'time', 'ratio', 'peak memory', 'ratio'],
      [
        [
          'anchor: pycocotools 2.0.11',
          inSeconds(timeOf(others)),
          asRatio(1, 1),
          inMegabytes(peakOf(others)),
          asRatio(1, 1),
        ],
        [
          'limner evaluate',
          inSeconds(timeOf(own)),
          asRatio(timeOf(own), timeOf(others)),
          inMegabytes(peakOf(own)),
          asRatio(peakOf(own), peakOf(others)),
        ],
      ],
    );
    printNote(
      `The twelve numbers differ by ${farthest.toExponential(1)} at most. Both times include the start of the program.`,
    );
  });
}
