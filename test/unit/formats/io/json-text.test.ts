import { expect, test } from 'vitest';
import { parseJsonBytes } from '../../../../main/formats/io/json-text.ts';

const parse = (text: string): unknown => parseJsonBytes(Buffer.from(text));

test("Python's words for numbers become null, but not inside of strings", () => {
  expect(parse('{"a": NaN, "b": [-Infinity, Infinity, 1], "c": "NaN, \\"Infinity\\" \\\\"}')).toEqual({
    a: null,
    b: [null, null, 1],
    c: 'NaN, "Infinity" \\',
  });
  expect(() => parse('{"a": NaN,, "b": 1}')).toThrow(SyntaxError);
  expect(() => parse('{"a": NaNs}')).toThrow(SyntaxError);
});

test('reads an image of many megabytes beside such a word', () => {
  const imageData = 'A'.repeat(30_000_000);
  expect(parse(`{"imageData": "${imageData}", "score": NaN}`)).toEqual({ imageData, score: null });
});
