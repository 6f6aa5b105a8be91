import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { detect } from '../../../main/model-files/onnx-model.ts';
import { readOnnx } from '../../../main/model-files/onnx/read-onnx.ts';
import { dictionaryOf } from '../../../main/model-files/recognise/labels.ts';
import { recognise } from '../../../main/model-files/recognise/recognise.ts';
import { createModelRuntime, nodeRuntime } from '../../../main/model-files/runtime/runtime-process.ts';
import { preparePython } from '../../sdk/python.ts';
import { projectRoot } from '../../support/node-executable.ts';

/** LIMNER_TEST_IMAGES=200 compares more of them. */
const count = Number(process.env['LIMNER_TEST_IMAGES'] ?? 12);

interface Read {
  readonly models: string;
  readonly pictures: readonly {
    readonly file: string;
    readonly lines: readonly { readonly text: string; readonly box: readonly (readonly number[])[] }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'limner-ocr-'));
const library = createRequire(import.meta.url).resolve('onnxruntime-node');
const start = nodeRuntime(join(projectRoot, 'resources', 'runtimes', 'onnx', 'server.cjs'), library);
const runtime = createModelRuntime({ name: 'ocr', folder, start });
afterAll(() => {
  runtime.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

test('PP-OCR reads the texts of images as RapidOCR does, in its order', async ({ annotate }) => {
  const python = await preparePython('requirements-models.txt');
  const { models, pictures } = await python<Read>('read_text.py', [folder, String(count)]);
  await copyFile(join(models, 'ch_PP-OCRv4_det_infer.onnx'), join(folder, 'model.onnx'));
  await copyFile(join(models, 'ch_PP-OCRv4_rec_infer.onnx'), join(folder, 'decoder.onnx'));
  const { facts } = readOnnx(join(folder, 'model.onnx'), 'det.onnx');
  const { facts: decoder } = readOnnx(join(folder, 'decoder.onnx'), 'rec.onnx');
  const [line] = recognise(decoder).readings;
  expect(line).toMatchObject({ id: 'text-line', needs: 'detector', questions: [] });
  const letters = dictionaryOf(decoder, { configurations: [], unread: [] })!;
  const description = { ...recognise(facts).description!, recognition: { input: line!.input!, letters } };
  const model = { name: 'ocr', facts, decoder, description, runtime };
  let [wrong, total, lines] = [0, 0, 0];
  const differing: string[] = [];
  for (const { file, lines: wanted } of pictures) {
    // oxlint-disable-next-line no-await-in-loop -- one process reads one image at a time
    const items = await detect(model, readFileSync(join(folder, file)), null);
    const found = items.map((one) => (one['attributes'] as readonly { value: string }[])[0]!.value).join('\n');
    const expected = wanted.map(({ text }) => text).join('\n');
    lines += wanted.length;
    total += expected.length;
    const more = distance(found, expected);
    if (more > 0) differing.push(`${file}: ${more}\n${expected}\n---\n${found}`);
    wrong += more;
  }
  expect(lines).toBeGreaterThan(count * 2);
  const summary = `${wrong} of ${total} characters in ${lines} lines differ`;
  await annotate(summary);
  expect(wrong / total, `${summary}\n${differing.join('\n\n')}`).toBeLessThanOrEqual(0.01);
}, 3_600_000);
