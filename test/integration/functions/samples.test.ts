import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfigurationText } from '../../../main/functions/configuration/parse-configuration.ts';
import { describeModel } from '../../../main/functions/configuration/model-description.ts';
import { isValidMask, maskArea } from '../../../preload/geometry/mask-runs.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { nodeRuntime, startRuntime, type RunningRuntime } from '../../support/functions/runtime-process.ts';

const samples = join(projectRoot, 'resources', 'functions');
const textOf = (sample: string, file: string) => readFileSync(join(samples, sample, file), 'utf8');

describe('the functions that come with Limner', () => {
  test.each(readdirSync(samples))('%s is a model, with nothing unknown in its configuration', (sample) => {
    const { configuration, warnings } = parseConfigurationText(textOf(sample, 'function.yaml'));
    expect(warnings).toEqual([]);
    expect(configuration.name).toBe(sample);
    expect(configuration.build.baseImage).toMatch(/^limner\/base-(node|python):latest$/);
    const model = describeModel(configuration);
    expect(model.imageFormats).toEqual(['png']);
    expect(model.kind === 'detector' ? model.labels.length : model.minPosPoints).toBeGreaterThan(0);
  });
});

describe('grow-region', () => {
  let runtime: RunningRuntime;
  let scene: string;
  const disc = { x: 120, y: 90, radius: 40 };
  beforeAll(async () => {
    runtime = await startRuntime(nodeRuntime, textOf('grow-region', 'main.js'), {
      files: { 'png.js': textOf('grow-region', 'png.js') },
    });
    scene = (await drawn(disc)).toString('base64');
  });
  afterAll(async () => {
    await runtime?.stop();
  });

  const segment = async (request: object) => {
    const answer = await runtime.call({ image: scene, pos_points: [], neg_points: [], obj_bbox: null, ...request });
    const body = (await answer.json()) as { shapes: { type: string; points: number[] }[] };
    return body.shapes[0]?.points ?? [];
  };
  const area = (points: readonly number[]) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = points.slice(-4);
    const bits = points.slice(0, -4).reduce((sum, run, index) => sum + (index % 2 === 1 ? run : 0), 0);
    return { left, top, right, bottom, bits };
  };

  test('finds the complete object from one point inside', async () => {
    const mask = area(await segment({ pos_points: [[disc.x, disc.y]] }));
    const whole = Math.PI * disc.radius ** 2;
    expect(mask.bits / whole).toBeGreaterThan(0.95);
    expect(mask.bits / whole).toBeLessThan(1.05);
    expect(Math.abs(mask.left - (disc.x - disc.radius))).toBeLessThanOrEqual(2);
    expect(Math.abs(mask.bottom - (disc.y + disc.radius))).toBeLessThanOrEqual(2);
  });

  test('removes the part at a negative point, and a box limits the region', async () => {
    const both = area(await segment({ pos_points: [[250, 90]] }));
    expect(both.right).toBeGreaterThan(290);
    const cut = area(
      await segment({
        pos_points: [[230, 90]],
        obj_bbox: [
          [205, 50],
          [260, 130],
        ],
      }),
    );
    expect(cut.right).toBeLessThanOrEqual(260);
    const reduced = area(await segment({ pos_points: [[220, 90]], neg_points: [[290, 90]] }));
    expect(reduced.bits).toBeLessThan(both.bits * 0.75);
  });

  test('returns a mask in the format of annotations', async () => {
    const points = await segment({ pos_points: [[disc.x, disc.y]] });
    expect(isValidMask(points)).toBe(true);
    expect(maskArea(points)).toBe(area(points).bits);
  });

  test.each([
    ['gray', (image: Sharp) => image.grayscale()],
    ['with transparency', (image: Sharp) => image.ensureAlpha()],
    ['of a palette', (image: Sharp) => image.png({ palette: true })],
    ['of 16 bits', (image: Sharp) => image.toColourspace('rgb16')],
    ['with filters', (image: Sharp) => image.png({ adaptiveFiltering: true })],
  ])('reads a PNG %s', async (_kind, change) => {
    const image = await change(sharp(await drawn(disc))).toBuffer();
    const mask = area(await segment({ image: image.toString('base64'), pos_points: [[disc.x, disc.y]] }));
    expect(mask.bits / (Math.PI * disc.radius ** 2)).toBeCloseTo(1, 0);
  });

  test('answers 400 with a sentence to unreadable or unusable input', async () => {
    const jpeg = await sharp(await drawn(disc))
      .jpeg()
      .toBuffer();
    const answer = await runtime.call({ image: jpeg.toString('base64'), pos_points: [[1, 1]], neg_points: [] });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/not PNG/)]);
    const nowhere = await runtime.call({ image: scene, pos_points: [[-5, 9000]], neg_points: [] });
    expect([nowhere.status, await nowhere.text()]).toEqual([400, expect.stringMatching(/point inside/)]);
    const cut = Buffer.from(scene, 'base64').subarray(0, 300).toString('base64');
    const damaged = await runtime.call({ image: cut, pos_points: [[1, 1]] });
    expect([damaged.status, await damaged.text()]).toEqual([400, expect.stringMatching(/PNG/)]);
  });
});

/** A disc and a bar on a plain background, as PNG of 320 × 180 pixels. */
function drawn({ x, y, radius }: { x: number; y: number; radius: number }): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="#e8e6e0"/>
    <circle cx="${x}" cy="${y}" r="${radius}" fill="#b02a2a"/><rect x="200" y="60" width="100" height="60" fill="#2a58b0"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}
