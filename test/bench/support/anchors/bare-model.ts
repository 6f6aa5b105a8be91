import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';

/** Runs of a detector, then decodings of an image, and nothing else: `FILE SIDE RUNS THREADS IMAGE`. */
const [file = '', ...more] = process.argv.slice(2);
const [side = 0, runs = 0, threads = 1] = more.map(Number);
const image = readFileSync(more[3] ?? '');
const session = await InferenceSession.create(file, { intraOpNumThreads: threads, interOpNumThreads: 1 });
const images = new Tensor(new Float32Array(3 * side * side).fill(0.5), [1, 3, side, side]);

async function measured(work: () => Promise<unknown>): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let run = -2; run < runs; run += 1) {
    const started = performance.now();
    await work();
    if (run >= 0) milliseconds.push(performance.now() - started);
  }
  return milliseconds;
}

const milliseconds = await measured(() => session.run({ images }));
sharp.cache(false);
const decoding = await measured(() => sharp(image).raw().toBuffer());
console.log(JSON.stringify({ milliseconds, decoding }));
