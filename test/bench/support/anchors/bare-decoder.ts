import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Clicks at a decoder of Segment Anything and nothing else: `FILE WIDTH HEIGHT CLICKS THREADS`. */
const [file = '', ...numbers] = process.argv.slice(2);
const [columns = 0, rows = 0, clicks = 0, threads = 1] = numbers.map(Number);
const session = await InferenceSession.create(file, { intraOpNumThreads: threads, interOpNumThreads: 1 });
const feeds = (x: number) => ({
  image_embeddings: new Tensor(new Float32Array(256 * 64 * 64), [1, 256, 64, 64]),
  point_coords: new Tensor(Float32Array.from([x, 300, 0, 0]), [1, 2, 2]),
  point_labels: new Tensor(Float32Array.from([1, -1]), [1, 2]),
  mask_input: new Tensor(new Float32Array(256 * 256), [1, 1, 256, 256]),
  has_mask_input: new Tensor(Float32Array.of(0), [1]),
  orig_im_size: new Tensor(Float32Array.of(rows, columns), [2]),
});
const milliseconds: number[] = [];
for (let click = -2; click < clicks; click += 1) {
  const started = performance.now();
  await session.run(feeds(200 + click));
  if (click >= 0) milliseconds.push(performance.now() - started);
}
console.log(JSON.stringify({ milliseconds, peakBytes: process.resourceUsage().maxRSS * 1024 }));
