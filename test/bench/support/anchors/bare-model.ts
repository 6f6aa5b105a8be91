import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Runs of a detector and nothing else: `FILE SIDE RUNS THREADS`. */
const [file = '', ...numbers] = process.argv.slice(2);
const [side = 0, runs = 0, threads = 1] = numbers.map(Number);
const session = await InferenceSession.create(file, { intraOpNumThreads: threads, interOpNumThreads: 1 });
const images = new Tensor(new Float32Array(3 * side * side).fill(0.5), [1, 3, side, side]);
const milliseconds: number[] = [];
for (let run = -2; run < runs; run += 1) {
  const started = performance.now();
  await session.run({ images });
  if (run >= 0) milliseconds.push(performance.now() - started);
}
console.log(JSON.stringify({ milliseconds }));
