import { mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  settingsFileName,
  settingsOf,
  type ModelFileInspection,
} from '../../../preload/contract/schema/model-files.ts';
import { useCoreHarness } from '../../db/work/core-harness.ts';
import { colourDecoder, colourEncoder } from '../../support/onnx/region-grower.ts';
import { buildModel } from '../../support/onnx/build-model.ts';
import { brokenFinder, finderWeights, rowsOfSix, squareFinder, writeModel } from '../../support/onnx/square-finder.ts';
import { maskArea, maskBox } from '../../../preload/geometry/mask-runs.ts';

const harness = useCoreHarness();
const square = (color: string) => ({ create: { width: 64, height: 64, channels: 3 as const, background: color } });
const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: 'black' } })
  .composite([
    { input: square('red'), left: 64, top: 128 },
    { input: square('lime'), left: 192, top: 0 },
  ])
  .png()
  .toBuffer();

const modelFiles = () => harness.core.functions.modelFiles;
const look = (name: string, content: Buffer): Promise<ModelFileInspection> =>
  modelFiles().inspectFile(harness.admin, writeModel(join(harness.folder, name), content));

async function call(name: string, fields: object = {}): Promise<unknown> {
  const body = JSON.stringify({ image: picture.toString('base64'), ...fields });
  const answer = await harness.core.functions.catalog.invoke(name, {
    method: 'POST',
    path: '/',
    headers: {},
    body: [Buffer.from(body)],
    timeoutMs: 60_000,
  });
  return JSON.parse(answer.body.toString('utf8')) as unknown;
}

describe('an ONNX model', () => {
  test('is recognized, tried, saved as a function, called, changed and deleted', async () => {
    const found = await look('squares.onnx', squareFinder());
    expect(found).toMatchObject({ name: 'squares', problem: null, licence: 'none', questions: [], needs: 'nothing' });
    const description = found.description!;
    expect(description).toMatchObject({ head: 'yolo', labels: ['red square', "green one's"] });
    const image = picture.toString('base64');
    const trial = { id: found.id, decoder: null, description, image, points: [] };
    const tried = JSON.parse((await modelFiles().tryOut(harness.admin, trial)).answer) as unknown;
    const boxes = [
      { label: "green one's", type: 'rectangle', confidence: '1', points: [192, 0, 256, 64] },
      { label: 'red square', type: 'rectangle', confidence: '1', points: [64, 128, 128, 192] },
    ];
    expect(tried).toEqual(boxes);

    const added = await modelFiles().add(harness.admin, {
      id: found.id,
      decoder: null,
      name: 'squares',
      title: '',
      description,
    });
    expect(added).toMatchObject({ provider: 'limner', kind: 'detector', state: 'ready' });
    expect(harness.core.functions.service.list(harness.admin).map(({ name }) => name)).toEqual(['squares']);
    expect(await call('squares')).toEqual(boxes);
    expect(await call('squares', { threshold: 0.99 })).toHaveLength(2);

    modelFiles().update(harness.admin, 'squares', { description: { ...description, labels: ['square', 'other'] } });
    expect(await call('squares')).toMatchObject([{ label: 'other' }, { label: 'square' }]);
    const second = {
      id: (await look('squares.onnx', squareFinder())).id,
      decoder: null,
      name: 'squares',
      title: '',
      description,
    };
    await expect(modelFiles().add(harness.admin, second)).rejects.toMatchObject({ code: 'conflict' });
    await harness.core.functions.service.remove(harness.admin, 'squares');
    await expect(call('squares')).rejects.toMatchObject({ code: 'not-found' });
  });

  test('with references to other files or libraries, or an invalid one, is refused without being run', async () => {
    const graph = (domain: string) => ({
      inputs: [{ name: 'x', dims: [1, 3, 8, 8] }],
      outputs: [{ name: 'y', dims: [1, 3, 8, 8] }],
      nodes: [{ operator: 'Identity', inputs: ['x'], outputs: ['y'], domain }],
    });
    await expect(look('own.onnx', buildModel(graph('my.library')))).rejects.toThrow(
      /Operator libraries are not supported/,
    );
    const elsewhere = [{ name: 'w', dims: [1], values: new Float32Array(1), elsewhere: '/etc/passwd' }];
    await expect(look('far.onnx', buildModel({ ...graph(''), weights: elsewhere }))).rejects.toThrow(
      /which is not a file beside it/,
    );
    await expect(look('text.onnx', Buffer.from('no model at all'))).rejects.toThrow(/Cannot use .* as a model/);
    const whole = squareFinder();
    await expect(look('half.onnx', whole.subarray(0, whole.length / 2))).rejects.toThrow(/Cannot use .* as a model/);
    const kind = await look('same.onnx', buildModel(graph('')));
    expect(kind.description?.head).not.toBe('yolo');
  });

  test.each([
    ['16-bit floats', { type: 'float16' }],
    ['bytes', { type: 'uint8' }],
    ['a fixed batch of four', { batch: 4 }],
    ['channels last', { isChannelsLast: true }],
    ['channels last in 16-bit floats, three at once', { type: 'float16', batch: 3, isChannelsLast: true }],
  ] as const)('with %s finds the same as with 32-bit floats', async (_, form) => {
    const found = await look('form.onnx', squareFinder({}, form));
    expect(found).toMatchObject({ problem: null, trial: { doubts: [] } });
    const image = picture.toString('base64');
    const trial = { id: found.id, decoder: null, description: found.description!, image, points: [] };
    const items = JSON.parse((await modelFiles().tryOut(harness.admin, trial)).answer) as unknown;
    expect(items).toMatchObject([
      { label: "green one's", points: [192, 0, 256, 64] },
      { label: 'red square', points: [64, 128, 128, 192] },
    ]);
  });

  test('with its weights in a file beside it is read with that file, saved with it and called', async () => {
    const folder = mkdtempSync(join(harness.folder, 'beside-'));
    const path = writeModel(join(folder, 'model.onnx'), squareFinder({}, { elsewhere: 'model.onnx.data' }));
    const lone = await modelFiles().inspectFile(harness.admin, path);
    expect(lone).toMatchObject({ description: null, missing_files: ['model.onnx.data'] });
    expect(lone.problem).toBe(
      'model.onnx stores its weights in "model.onnx.data", which is missing. Add it together with the model.',
    );
    writeModel(join(folder, 'model.onnx.data'), finderWeights());
    writeModel(join(folder, 'data.yaml'), Buffer.from('names: [red square, other]'));
    const found = await modelFiles().inspectFile(harness.admin, path);
    expect(found).toMatchObject({ problem: null, missing_files: [], trial: { doubts: [] } });
    expect(found.questions).toEqual(['"data.yaml" has 2 labels that do not match the model. Choose which is right.']);
    const { id, description } = found;
    await modelFiles().add(harness.admin, { id, decoder: null, name: 'data', title: '', description: description! });
    expect(await call('data')).toMatchObject([{ points: [192, 0, 256, 64] }, { points: [64, 128, 128, 192] }]);
    await harness.core.functions.service.remove(harness.admin, 'data');
  });

  test('takes its weights as a second upload, and no file that does not belong to it', async () => {
    const upload = (name: string, content: Buffer, model?: string) =>
      modelFiles().inspectUpload(harness.admin, Readable.from([content]), name, model ?? null);
    const { id } = await upload('far.onnx', squareFinder({}, { elsewhere: 'weights.bin' }));
    await expect(upload('other.bin', finderWeights(), id)).rejects.toThrow(
      '"other.bin" does not belong to far.onnx, which needs "weights.bin".',
    );
    await expect(upload('../weights.bin', finderWeights(), id)).rejects.toThrow(/does not belong/);
    const found = await upload('weights.bin', finderWeights(), id);
    expect(found).toMatchObject({ id, problem: null, missing_files: [], description: { head: 'yolo' } });
    const short = await upload('weights.bin', finderWeights().subarray(0, 8), id);
    expect(short.problem).toMatch(/Cannot run "far.onnx"/);
  });

  test.each([
    '/etc/passwd',
    '../model.bin',
    'a/../../model.bin',
    'sub/model.bin',
    'C:\\model.bin',
    '..\\model.bin',
    '..',
    '',
    '.hidden',
    'model.onnx',
    'Main.py',
    'function.yaml',
    'a\0b',
    'x:stream',
  ])('with its weights in "%s" is refused', async (elsewhere) => {
    await expect(look('far.onnx', squareFinder({}, { elsewhere }))).rejects.toThrow(/which is not a file beside it/);
  });

  test('does not follow links of its weights to other folders', async () => {
    const folder = mkdtempSync(join(harness.folder, 'link-'));
    const path = writeModel(join(folder, 'model.onnx'), squareFinder({}, { elsewhere: 'weights.bin' }));
    symlinkSync(writeModel(join(harness.folder, 'secret.bin'), finderWeights()), join(folder, 'weights.bin'));
    expect(await modelFiles().inspectFile(harness.admin, path)).toMatchObject({ missing_files: ['weights.bin'] });
    // The cache of Hugging Face links both files into one other folder.
    const blobs = mkdtempSync(join(harness.folder, 'blobs-'));
    const linked = mkdtempSync(join(harness.folder, 'snapshot-'));
    writeModel(join(blobs, 'a1'), squareFinder({}, { elsewhere: 'weights.bin' }));
    writeModel(join(blobs, 'b2'), finderWeights());
    symlinkSync(join(blobs, 'a1'), join(linked, 'model.onnx'));
    symlinkSync(join(blobs, 'b2'), join(linked, 'weights.bin'));
    expect(await modelFiles().inspectFile(harness.admin, join(linked, 'model.onnx'))).toMatchObject({
      problem: null,
      missing_files: [],
    });
  });

  test('is run when it is added, and one that cannot run is refused with the reason of onnxruntime', async () => {
    const good = await look('squares.onnx', squareFinder());
    expect(good.trial?.text).toBe('nothing found');
    const broken = await look('broken.onnx', brokenFinder());
    expect(broken).toMatchObject({ description: null, readings: [], trial: null });
    expect(broken.problem).toMatch(/Cannot run "broken.onnx": .*Reshape.*\{1,2,7\}/);
    const { id, description } = good;
    const wrong = { ...description!, labels: ['one', 'two', 'three'] };
    const body = { id, decoder: null, name: 'wrong', title: '', description: wrong };
    await expect(modelFiles().add(harness.admin, body)).rejects.toThrow(/6 numbers, which does not match 3 labels/);
  });

  test('whose rows can be read in two ways is a question, and each reading can be tried', async () => {
    const found = await look('rows.onnx', rowsOfSix());
    expect(found).toMatchObject({ description: null, problem: null });
    expect(found.readings.map(({ name, formula }) => [name, formula])).toEqual([
      ['Corners', 'x1 y1 x2 y2 score label'],
      ['Center and size', 'cx cy w h score label'],
    ]);
    const places = await Promise.all(
      found.readings.map(async ({ description }) => {
        const image = picture.toString('base64');
        const trial = { id: found.id, decoder: null, description: description!, image, points: [] };
        const [item] = JSON.parse((await modelFiles().tryOut(harness.admin, trial)).answer) as { points: number[] }[];
        return item?.points;
      }),
    );
    expect(places).toEqual([
      [100, 100, 200, 200],
      [0, 0, 200, 200],
    ]);
  });

  test('exports its settings, which answer all questions when it is added again', async () => {
    const found = await look('saved.onnx', rowsOfSix());
    const description = { ...found.readings[0]!.description!, labels: ['sign'], threshold: 0.5 };
    await modelFiles().add(harness.admin, { id: found.id, decoder: null, name: 'saved', title: '', description });
    const settings = settingsOf(modelFiles().get(harness.admin, 'saved'));
    const beside = settingsFileName('saved.onnx');
    writeModel(join(harness.folder, beside), Buffer.from(JSON.stringify(settings)));
    const again = await look('saved.onnx', rowsOfSix());
    expect(again).toMatchObject({ description, questions: [], reasons: [`The settings come from "${beside}".`] });
    expect(again.trial?.text).toBe('5 boxes, best 0.90 sign');
    const other = await look('saved.onnx', squareFinder());
    expect(other.description?.labels).toEqual(['red square', "green one's"]);
    expect(other.readings[0]?.against).toEqual([`"${beside}" does not belong to this file and is not used.`]);
    await harness.core.functions.service.remove(harness.admin, 'saved');
  });

  test('with a wrong description reports its actual outputs', async () => {
    const { id, description } = await look('squares.onnx', squareFinder());
    const wrong = { ...description!, head: 'detr' as const };
    const trial = { id, decoder: null, description: wrong, image: picture.toString('base64'), points: [] };
    await expect(modelFiles().tryOut(harness.admin, trial)).rejects.toThrow(/output0 float32 \[1, 6, 25\]/);
  });

  test('of an encoder needs its decoder, and both create a mask from a click', async () => {
    const encoder = await look('encoder.onnx', colourEncoder());
    const decoder = await look('decoder.onnx', colourDecoder());
    expect([encoder.needs, decoder.needs]).toEqual(['decoder', 'encoder']);
    const body = { id: encoder.id, name: 'sam', title: 'Segment', description: encoder.description! };
    await expect(modelFiles().add(harness.admin, { ...body, decoder: null })).rejects.toThrow(/An encoder alone/);
    await modelFiles().add(harness.admin, { ...body, decoder: decoder.id });
    const answer = await call('sam', { pos_points: [[96, 160]], neg_points: [], obj_bbox: null });
    const { shapes } = answer as { shapes: { type: string; points: number[] }[] };
    expect(shapes).toMatchObject([{ type: 'mask', confidence: '0.9' }]);
    const { left, top, width, height } = maskBox(shapes[0]!.points);
    expect([left, top, width, height].map((value) => Math.round(value / 8) * 8)).toEqual([64, 128, 64, 64]);
    expect(maskArea(shapes[0]!.points)).toBeGreaterThan(58 * 58);
  });
});
