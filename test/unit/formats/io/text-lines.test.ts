import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, splitLines } from '../../../../main/formats/io/text-lines.ts';

async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function linesOf(bytes: Uint8Array, chunkBytes: number): Promise<string[]> {
  const lines: string[] = [];
  await readLines(chunksOf(bytes, chunkBytes), (line, number) => {
    lines.push(line);
    expect(number).toBe(lines.length);
  });
  return lines;
}

describe('lines', () => {
  it('end with any of the three line ends, and exclude a BOM', () => {
    expect(splitLines('\ufeffa\r\nb\rc\n\nd')).toEqual(['a', 'b', 'c', '', 'd']);
    expect(splitLines(Buffer.from('\ufeffa\n'))).toEqual(['a']);
    expect(splitLines('')).toEqual([]);
    expect(splitLines('\n')).toEqual(['']);
  });

  it('are the same when they are read in chunks', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ä', '\u{1F408}', '\r', '\n', ' ', '\ufeff') });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (value, chunk) => {
        const bytes = Buffer.from(value);
        expect(await linesOf(bytes, chunk)).toEqual(splitLines(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('that never end are refused instead of filling the memory', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(1 << 20, 'x');
    }
    await expect(readLines(endless(), () => undefined)).rejects.toMatchObject({ code: 'invalid' });
  });
});
