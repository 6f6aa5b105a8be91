import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { readPixels } from '../../main/model-files/image/read-pixels.ts';
import { pictureTensor } from '../../main/model-files/image/image-tensor.ts';
import { createModelRuntime, nodeRuntime } from '../../main/model-files/runtime/runtime-process.ts';
sharp.cache(false);
const noisy = readFileSync('/tmp/q1/n.jpg');
const input = {
  layout: 'NCHW',
  type: 'float32',
  width: 640,
  height: 640,
  is_size_free: false,
  colour: 'RGB',
  divisor: 255,
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  fit: 'letterbox',
  smooth: false,
  least_side: 0,
  fill: 114,
} as any;
const runtime = createModelRuntime({
  name: 'd',
  folder: '/tmp/q1/m',
  start: nodeRuntime(
    '/work/q1/resources/runtimes/onnx/server.cjs',
    createRequire(import.meta.url).resolve('onnxruntime-node'),
  ),
});
const t: Record<string, number[]> = { read: [], tensor: [], run: [] };
for (let i = 0; i < 25; i++) {
  const a = performance.now();
  const p = await readPixels(noisy);
  const b = performance.now();
  const { tensor } = pictureTensor(p, input);
  const c = performance.now();
  await runtime.run('model.onnx', { images: tensor });
  const d = performance.now();
  if (i > 4) {
    t.read!.push(b - a);
    t.tensor!.push(c - b);
    t.run!.push(d - c);
  }
}
for (const [k, v] of Object.entries(t)) {
  v.sort((x, y) => x - y);
  console.log(k, v[10]!.toFixed(1), v[0]!.toFixed(1));
}
runtime.stop();
