import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { useCoreHarness } from '../../db/work/core-harness.ts';
import { phraseFinder, pieces } from '../../support/onnx/phrase-finder.ts';
import { writeModel } from '../../support/onnx/square-finder.ts';

const harness = useCoreHarness();
const modelFiles = () => harness.core.functions.modelFiles;
const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'black' } })
  .png()
  .toBuffer();

async function call(fields: object): Promise<unknown> {
  const body = [Buffer.from(JSON.stringify({ image: picture.toString('base64'), ...fields }))];
  const request = { method: 'POST', path: '/', headers: {}, body, timeoutMs: 60_000 };
  const answer = await harness.core.functions.catalog.invoke('phrases', request);
  return JSON.parse(answer.body.toString('utf8')) as unknown;
}

test('a model that takes texts is refused without its tokenizer, and finds phrases with it', async () => {
  const bare = await modelFiles().inspectFile(
    harness.admin,
    writeModel(join(harness.folder, 'dino.onnx'), phraseFinder()),
  );
  expect(bare).toMatchObject({ description: null, problem: expect.stringContaining('dino.onnx needs its tokenizer') });
  const vocabulary = Readable.from([Buffer.from(pieces.join('\n'))]);
  const { id, description } = await modelFiles().inspectUpload(harness.admin, vocabulary, 'vocab.txt', bare.id);
  expect(description).toMatchObject({ head: 'grounding-dino', labels: [] });
  await modelFiles().add(harness.admin, { id, decoder: null, name: 'phrases', title: '', description: description! });

  const box = (label: string, confidence: string, points: readonly number[]) => ({
    label,
    confidence,
    type: 'rectangle',
    points,
  });
  expect(await call({ text_prompts: ['Green square', 'helmet'] })).toEqual([
    box('Green square', '0.9', [100, 75, 300, 125]),
    box('helmet', '0.8', [200, 0, 400, 100]),
  ]);
  expect(await call({ text_prompts: ['red square'] })).toEqual([]);
  expect(await call({ text_prompts: ['helmet', 'red'], threshold: 0.85 })).toEqual([]);
  await expect(call({ text_prompts: [] })).rejects.toThrow(/There is no phrase to look for/);
  const long = Array.from({ length: 100 }, (_, index) => `red ${index}`);
  await expect(call({ text_prompts: long })).rejects.toThrow(/tokens; the model takes 256/);
});
