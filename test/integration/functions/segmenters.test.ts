import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { maskBox } from '../../../preload/geometry/mask-runs.ts';
import { useCoreHarness } from '../../db/work/core-harness.ts';
import { segmenters } from '../../support/onnx/segmenters.ts';
import { writeModel } from '../../support/onnx/square-finder.ts';

const harness = useCoreHarness();
const modelFiles = () => harness.core.functions.modelFiles;
const look = (name: string, content: Buffer) =>
  modelFiles().inspectFile(harness.admin, writeModel(join(harness.folder, name), content));

/** A red rectangle that is at a fifth of the width, and wide; nothing is symmetric. */
async function pictureOf(width: number, height: number) {
  const box = { left: width * 0.2, top: height * 0.5, width: width * 0.4, height: height * 0.25 };
  const color = { create: { width: box.width, height: box.height, channels: 3 as const, background: 'red' } };
  const bytes = await sharp({ create: { width, height, channels: 3, background: 'navy' } })
    .composite([{ input: color, left: box.left, top: box.top }])
    .png()
    .toBuffer();
  return { bytes, box };
}

const sizes = [
  [320, 320],
  [640, 320],
  [1600, 1280],
] as const;

test.each(segmenters.flatMap((one) => sizes.map((size) => ({ ...one, size }))))(
  '$name finds the clicked region in an image of $size',
  async ({ encoder, decoder, size: [width, height] }) => {
    const [first, second] = [await look('encoder.onnx', encoder), await look('decoder.onnx', decoder)];
    expect([first.needs, second.needs]).toEqual(['decoder', 'encoder']);
    const { bytes, box } = await pictureOf(width, height);
    const trial = {
      id: first.id,
      decoder: second.id,
      description: first.description!,
      image: bytes.toString('base64'),
      points: [[box.left + box.width * 0.7, box.top + box.height / 2]],
    };
    const { shapes } = JSON.parse((await modelFiles().tryOut(harness.admin, trial)).answer) as {
      shapes: { points: number[]; confidence: string }[];
    };
    expect(shapes.map(({ confidence }) => confidence)).toEqual(['0.9']);
    const { left, top, right, bottom } = maskBox(shapes[0]!.points);
    // Features have 64 cells along the longer side.
    const cell = Math.max(width, height) / 64;
    const wanted = [box.left, box.top, box.left + box.width - 1, box.top + box.height - 1];
    for (const [index, value] of [left, top, right, bottom].entries()) {
      expect(Math.abs(value - wanted[index]!), `side ${index}: ${value}`).toBeLessThanOrEqual(cell + 1);
    }
  },
);

test('refuses a box for a decoder of Hugging Face that takes points only', async () => {
  const { encoder, decoder } = segmenters.find(({ name }) => name === 'SAM of Hugging Face')!;
  const [first, second] = [await look('encoder.onnx', encoder), await look('decoder.onnx', decoder)];
  const body = { id: first.id, decoder: second.id, name: 'points', title: '', description: first.description! };
  await modelFiles().add(harness.admin, body);
  const { bytes, box } = await pictureOf(320, 320);
  const corners = [
    [box.left, box.top],
    [box.left + box.width, box.top + box.height],
  ];
  const call = { image: bytes.toString('base64'), pos_points: [], neg_points: [], obj_bbox: corners };
  const invoked = harness.core.functions.catalog.invoke('points', {
    method: 'POST',
    path: '/',
    headers: {},
    body: [Buffer.from(JSON.stringify(call))],
    timeoutMs: 60_000,
  });
  await expect(invoked).rejects.toThrow('This decoder takes points only, not boxes.');
  await harness.core.functions.service.remove(harness.admin, 'points');
});
