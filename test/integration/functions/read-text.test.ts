import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { ModelFileInspection } from '../../../preload/contract/schema/model-files.ts';
import { useCoreHarness } from '../../db/work/core-harness.ts';
import { blockDetector, blockLetters, blockReader } from '../../support/onnx/block-reader.ts';
import { squareFinder, writeModel } from '../../support/onnx/square-finder.ts';

const harness = useCoreHarness();
const block = (background: string, left: number, top: number, width = 30, height = 40) => ({
  input: { create: { width, height, channels: 3 as const, background } },
  left,
  top,
});
/** Lines from the top: "AB", then "B" beside "A", which starts a little higher. */
const page = await sharp({ create: { width: 800, height: 800, channels: 3, background: 'black' } })
  .composite([
    block('red', 100, 100, 60),
    block('lime', 160, 100, 60),
    block('lime', 100, 400, 80),
    block('red', 500, 396, 80),
  ])
  .png()
  .toBuffer();

const modelFiles = () => harness.core.functions.modelFiles;
const look = (name: string, content: Buffer): Promise<ModelFileInspection> =>
  modelFiles().inspectFile(harness.admin, writeModel(join(harness.folder, name), content));

async function add(name: string, decoder: string): Promise<void> {
  const { id, description } = await look('det.onnx', blockDetector());
  await modelFiles().add(harness.admin, { id, decoder, name, title: '', description: description! });
}

async function call(name: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const body = [Buffer.from(JSON.stringify({ image: page.toString('base64') }))];
  const request = { method: 'POST', path: '/', headers: {}, body, timeoutMs: 60_000 };
  const answer = await harness.core.functions.catalog.invoke(name, request);
  return JSON.parse(answer.body.toString('utf8')) as Readonly<Record<string, unknown>>[];
}

test('a text detector and its recognition return regions with their texts in reading order', async () => {
  const reader = await look('rec.onnx', blockReader({ character: blockLetters.join('\n') }));
  expect(reader).toMatchObject({ needs: 'detector', questions: [] });
  await add('texts', reader.id);
  const found = await call('texts');
  expect(found.map(({ attributes }) => attributes)).toEqual(
    ['AB', 'B', 'A'].map((value) => [{ name: 'transcription', value }]),
  );
  const [first] = found;
  expect(first).toMatchObject({ label: 'text', type: 'polygon' });
  const [left = 0, top = 0, , , right = 0, bottom = 0] = first!['points'] as readonly number[];
  expect([left < 100, top < 100, right > 220, bottom > 140]).toEqual([true, true, true, true]);
  const [model] = harness.core.functions.service.list(harness.admin);
  expect(model!.labels).toMatchObject([{ name: 'text', attributes: [{ name: 'transcription', input_type: 'text' }] }]);
});

test('a recognition without characters is refused until its dictionary is added', async () => {
  const reader = await look('rec.onnx', blockReader());
  expect(reader.questions.join(' ')).toContain('does not contain its letters');
  await expect(add('with-dictionary', reader.id)).rejects.toThrow(
    /rec\.onnx does not contain its characters\. Add its dictionary/,
  );
  const dictionary = Readable.from([Buffer.from(blockLetters.join('\r\n'))]);
  const known = await modelFiles().inspectUpload(harness.admin, dictionary, 'my_dict.txt', reader.id);
  expect(known.questions).toEqual([]);
  await add('with-dictionary', reader.id);
  expect((await call('with-dictionary'))[0]).toMatchObject({ attributes: [{ value: 'AB' }] });
});

test('a dictionary of another length is refused when the model is added', async () => {
  const reader = await look('rec.onnx', blockReader({ character: 'A\nB' }));
  await expect(add('other', reader.id)).rejects.toThrow(/rec\.onnx returns 27 characters, but its dictionary has 2/);
});

test('a model that reads no text is refused as the recognition of a text detector', async () => {
  const { id } = await look('squares.onnx', squareFinder());
  await expect(add('squares', id)).rejects.toThrow(/squares\.onnx does not read lines of text/);
});

test('a text detector alone returns regions without texts', async () => {
  const { id, description } = await look('det.onnx', blockDetector());
  await modelFiles().add(harness.admin, { id, decoder: null, name: 'regions', title: '', description: description! });
  const found = await call('regions');
  expect(found).toHaveLength(3);
  expect(found.every((one) => one['attributes'] === undefined)).toBe(true);
});
