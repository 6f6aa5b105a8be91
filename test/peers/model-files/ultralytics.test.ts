import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { inspectModel } from '../../../main/model-files/first-run.ts';
import type { DetectorItem } from '../../../main/model-files/heads/found.ts';
import { detect } from '../../../main/model-files/onnx-model.ts';
import { readOnnx } from '../../../main/model-files/onnx/read-onnx.ts';
import { createModelRuntime, nodeRuntime } from '../../../main/model-files/runtime/runtime-process.ts';
import { projectRoot } from '../../support/node-executable.ts';

/** Made by ultralytics_exports.py in this folder. */
const folder = process.env['LIMNER_TEST_ULTRALYTICS'] ?? '';

interface Found {
  readonly label: string;
  readonly score: number;
  readonly box?: readonly number[];
  readonly corners?: readonly number[];
  /** x, y and visibility. */
  readonly points?: readonly (readonly number[])[];
  /** Bits of the image, row by row, compressed. */
  readonly mask?: string;
}
interface Size {
  readonly width: number;
  readonly height: number;
}
interface Expected {
  readonly version: string;
  readonly models: readonly {
    readonly file: string;
    readonly task: string;
    readonly found: Readonly<Record<string, readonly Found[]>>;
  }[];
}

const isThere = existsSync(join(folder, 'expected.json'));
const { models }: Expected = isThere
  ? (JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected)
  : { version: '', models: [] };
const library = createRequire(import.meta.url).resolve('onnxruntime-node');
const start = nodeRuntime(join(projectRoot, 'resources', 'runtimes', 'onnx', 'server.cjs'), library);
const work = mkdtempSync(join(tmpdir(), 'limner-ultralytics-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const threshold = 0.25;
const overlap = 0.7;
const pixels = 0.5;
const score = 0.01;
/** Intersection over union of masks. */
const sameMask = 0.98;
/** Pixels around the border of a small mask, which may differ. */
const borders = [-1, 0, 1];
/** Share of the boxes whose overlap with another one is so near the limit that rounding decides. */
const tipped = 0.01;

const hasArea = ([left = 0, top = 0, right = 0, bottom = 0]: readonly number[]) =>
  right - left >= 1 && bottom - top >= 1;

const numbersOf = (item: DetectorItem): readonly number[] => (item['points'] ?? []) as readonly number[];
const apart = (a: readonly number[], b: readonly number[]): number =>
  a.length === b.length ? Math.max(0, ...a.map((value, index) => Math.abs(value - (b[index] ?? 0)))) : Infinity;

/** Corners of a box that is rotated about its centre. */
function cornersOf(item: DetectorItem): readonly number[] {
  const [left = 0, top = 0, right = 0, bottom = 0] = numbersOf(item);
  const angle = (Number(item['rotation'] ?? 0) * Math.PI) / 180;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ].flatMap(([px = 0, py = 0]) => [
    x + (px - x) * Math.cos(angle) - (py - y) * Math.sin(angle),
    y + (px - x) * Math.sin(angle) + (py - y) * Math.cos(angle),
  ]);
}

/** Distance of each corner of a box to the nearest one of the other, because the first corner is arbitrary. */
function cornersApart(a: readonly number[], b: readonly number[]): number {
  const pairs = (flat: readonly number[]) => [0, 2, 4, 6].map((at) => [flat[at] ?? 0, flat[at + 1] ?? 0] as const);
  return Math.max(
    ...pairs(a).map(([x, y]) => Math.min(...pairs(b).map(([u, v]) => Math.max(Math.abs(x - u), Math.abs(y - v))))),
  );
}

/** Ultralytics moves points into the image. */
const inside = (point: readonly number[], size: Size): number[] =>
  point.map((value, axis) => Math.min(Math.max(0, value), axis === 0 ? size.width : size.height));

/** True if masks are the same but for a few pixels, or but for pixels near the border of the expected mask. */
function isSameMask(item: DetectorItem, packed: string, { width, height }: Size): boolean {
  const bits = inflateSync(Buffer.from(packed, 'base64'));
  const isWanted = (x: number, y: number): boolean => {
    const index = y * width + x;
    return x >= 0 && y >= 0 && x < width && y < height && (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1;
  };
  const values = item['mask'] as readonly number[];
  const [left = 0, top = 0, right = 0, bottom = 0] = values.slice(-4);
  const isFound = (x: number, y: number): boolean =>
    x >= left && y >= top && x <= right && y <= bottom && values[(y - top) * (right - left + 1) + x - left] === 1;
  let [both, either, inside] = [0, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const wanted = isWanted(x, y);
      const found = isFound(x, y);
      if (wanted && found) both += 1;
      if (wanted || found) either += 1;
      if (wanted === found) continue;
      const isAtBorder = borders.some((dy) => borders.some((dx) => isWanted(x + dx, y + dy) !== wanted));
      if (!isAtBorder) inside += 1;
    }
  }
  return both / either >= sameMask || inside === 0;
}

function placeApart(task: string, item: DetectorItem, wanted: Found, size: Size): number {
  if (task === 'classify') return 0;
  if (task === 'obb') return cornersApart(cornersOf(item), wanted.corners ?? []);
  if (task === 'pose') {
    const elements = item['elements'] as readonly { readonly points: readonly number[] }[];
    return Math.max(
      ...(wanted.points ?? []).map((point, index) =>
        apart(inside(elements[index]?.points ?? [], size), point.slice(0, 2)),
      ),
    );
  }
  if (task === 'segment') return isSameMask(item, wanted.mask ?? '', size) ? 0 : Infinity;
  return apart(numbersOf(item), wanted.box ?? []);
}

const isSame = (task: string, item: DetectorItem, wanted: Found, size: Size): boolean =>
  item['label'] === wanted.label &&
  Math.abs(Number(item['confidence']) - wanted.score) <= score &&
  placeApart(task, item, wanted, size) <= pixels;

describe.runIf(isThere)('an export of Ultralytics finds what Ultralytics finds', () => {
  test.each(models.map(({ file, task, found }) => ({ file, task, found })))(
    '$file',
    async ({ file, task, found }) => {
      const own = mkdtempSync(join(work, 'model-'));
      symlinkSync(join(folder, file), join(own, 'model.onnx'));
      const runtime = createModelRuntime({ name: file, folder, start });
      try {
        const { facts } = readOnnx(join(folder, file), file);
        const run = (_: string, ...rest: [never]) => runtime.run(file, ...rest);
        const model = { name: file, facts, runtime: { run } };
        const { description } = await inspectModel(model as Parameters<typeof inspectModel>[0]);
        expect(description).not.toBeNull();
        const settings = {
          ...description!,
          overlap: description!.overlap === null ? null : overlap,
          output: { ...description!.output, ...(task === 'segment' ? { shape: 'mask' as const } : {}) },
        };
        const differing: string[] = [];
        let count = 0;
        for (const [picture, all] of Object.entries(found)) {
          const image = readFileSync(join(folder, picture));
          // oxlint-disable-next-line no-await-in-loop -- one process runs one image at a time
          const items = await detect(
            { ...model, description: settings } as Parameters<typeof detect>[0],
            image,
            task === 'classify' ? 0 : threshold,
          );
          const { width, height } = await sharp(image).metadata();
          const wanted = task === 'classify' ? all.slice(0, 1) : all.filter((one) => one.score > threshold + score);
          // Ultralytics returns boxes without an area, which are at the border of the image.
          const sure = wanted.filter(({ box }) => box === undefined || hasArea(box));
          count += sure.length;
          const missing = sure.filter((one) => !items.some((item) => isSame(task, item, one, { width, height })));
          differing.push(...missing.map((one) => `${picture}: ${JSON.stringify(one)}`));
          const mostFound = all.length + Math.max(1, all.length * tipped);
          // Its suppression of oriented boxes also counts suppressed boxes, so it keeps fewer.
          // At its limit of 300, with those whose masks are empty, it leaves out others.
          if (task !== 'classify' && task !== 'obb' && all.length < 250)
            expect(items.length, picture).toBeLessThanOrEqual(mostFound);
        }
        expect(count).toBeGreaterThan(0);
        expect(differing.length / count, differing.slice(0, 3).join('\n')).toBeLessThanOrEqual(tipped);
      } finally {
        runtime.stop();
      }
    },
    120_000,
  );
});
