import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tokenizerFrom } from '../../../main/model-files/prompts/tokenizer-files.ts';
import { createTokenizer } from '../../../main/model-files/prompts/tokenizer.ts';
import { preparePython } from '../../sdk/python.ts';

/** LIMNER_TEST_TEXTS=10000 compares more of them. */
const count = Number(process.env['LIMNER_TEST_TEXTS'] ?? 600);

interface Encoded {
  readonly texts: readonly string[];
  readonly ids: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const folder = mkdtempSync(join(tmpdir(), 'limner-tokens-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (kind: string, names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, readFileSync(join(folder, kind, name), 'utf8')]));

describe('tokens of texts in twelve scripts are those of Hugging Face', async () => {
  const python = await preparePython('requirements-models.txt');
  const { texts, ids } = await python<Encoded>('tokenize_texts.py', [folder, String(count)]);
  test.each([
    ['CLIP by tokenizer.json', 'clip', ['tokenizer.json']],
    ['CLIP by vocabulary and merges', 'clip', ['vocab.json', 'merges.txt']],
    ['BERT by tokenizer.json', 'bert', ['tokenizer.json']],
    ['BERT by vocab.txt', 'bert', ['vocab.txt']],
    ['SentencePiece by tokenizer.json', 'unigram', ['tokenizer.json']],
  ])('for %s', (_, kind, files) => {
    const tokenizer = createTokenizer(tokenizerFrom(read(kind, files))!);
    const wrong = texts.flatMap((text, index) => {
      const [found, wanted] = [tokenizer.encode(text), ids[kind]![index]!];
      return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [{ text, found, wanted }];
    });
    expect(wrong.slice(0, 3), `${wrong.length} of ${texts.length} differ`).toEqual([]);
  });
});
