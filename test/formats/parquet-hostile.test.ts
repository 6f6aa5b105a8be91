import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withSource } from '../../main/formats/io/open-source.ts';
import { AppError } from '../../main/platform/errors.ts';
import { createRandom } from '../support/random.ts';
import { entriesOf, fileOf, formatFixtures, zipOf } from './support/format-fixtures.ts';

const path = 'huggingface-parquet/data/train-00000-of-00001.parquet';
const stored = readFileSync(join(formatFixtures, path));

describe('a hostile Parquet file', () => {
  it('with any damaged byte is read, or refused with a sentence', async () => {
    const random = createRandom(7);
    let refused = 0;
    for (let round = 0; round < 400; round += 1) {
      const bytes = Buffer.from(stored);
      for (let change = 0; change <= round % 3; change += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      try {
        await entriesOf(fileOf('a.parquet', bytes));
      } catch (error) {
        refused += 1;
        expect(error, `round ${round}`).toBeInstanceOf(AppError);
        expect(String(error)).toMatch(/Cannot (?:read|open) /);
      }
    }
    expect(refused).toBeGreaterThan(20);
  });

  it('that ends early is refused, wherever it ends', async () => {
    for (const size of [0, 3, 8, 12, 400, stored.length - 1])
      await expect(entriesOf(fileOf('a.parquet', stored.subarray(0, size)))).rejects.toThrow(
        'Cannot read a.parquet: it is not a Parquet file, or it is damaged.',
      );
  });

  it('whose runs have more values than their page is refused', async () => {
    const bytes = Buffer.from(stored);
    // Definition levels of the two images: a run of two values.
    const levels = bytes.indexOf(Buffer.from('020000000402', 'hex'));
    expect(levels).toBeGreaterThan(0);
    bytes[levels + 4] = 63 << 1;
    const error = await entriesOf(fileOf('a.parquet', bytes)).catch((problem: unknown) => problem);
    expect((error as Error).cause).toMatchObject({ message: 'runs have more values than their page' });
  });

  it('is not opened when it is beside images', async () => {
    const zip = await zipOf({ 'a.png': 'image', 'x.parquet': 'no table' });
    await withSource({ path: zip, name: 'a.zip' }, async ({ entries }) => {
      expect(entries.map((entry) => entry.path).toSorted()).toEqual(['a.png', 'x.parquet']);
    });
  });
});

it('reads a Parquet file in a compressed archive', async () => {
  const entries = await entriesOf(await zipOf({ [path]: stored }));
  expect([...entries.keys()]).toContain('huggingface-parquet/train/photo_1.png');
});
