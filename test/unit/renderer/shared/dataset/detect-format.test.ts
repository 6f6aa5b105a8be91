import { describe, expect, it } from 'vitest';
import { detectablePart } from '../../../../../renderer/shared/dataset/detect-format.ts';

const file = (name: string, bytes: Uint8Array<ArrayBuffer> | string) => new File([bytes], name);
const long = 300 * 1024;

describe('the part of a file that is sent for format detection', () => {
  it('is the beginning of a text, with any name', async () => {
    for (const name of ['a.json', 'a.zip'])
      expect((await detectablePart(file(name, '{'.repeat(long))))?.size).toBe(256 * 1024);
    expect((await detectablePart(file('a.xml', '<a/>')))?.size).toBe(4);
    expect((await detectablePart(file('empty', '')))?.size).toBe(0);
  });

  it('is the complete archive, with any name', async () => {
    const marks = [
      [0, 'PK\u0003\u0004'],
      [0, '\u001f\u008b'],
      [257, 'ustar'],
    ] as const;
    for (const [offset, mark] of marks) {
      const bytes = new Uint8Array(long);
      bytes.set(
        [...mark].map((character) => character.charCodeAt(0)),
        offset,
      );
      expect((await detectablePart(file('a.json', bytes)))?.size).toBe(long);
    }
  });
});
