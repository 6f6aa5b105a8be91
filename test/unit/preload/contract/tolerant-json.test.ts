import { expect, test } from 'vitest';
import { parseTolerantJson } from '../../../../preload/contract/tolerant-json.ts';

test('numbers that are not finite are read as such, and texts keep their words', () => {
  expect(parseTolerantJson('{"a NaN": [NaN, -Infinity, 1.5], "b": "\\"NaN Infinity"}')).toEqual({
    'a NaN': [Number.NaN, Number.NEGATIVE_INFINITY, 1.5],
    b: '"NaN Infinity',
  });
});

test('refuses all other invalid JSON', () => {
  for (const text of ['', '{', '[NaN', 'nothing']) expect(() => parseTolerantJson(text)).toThrow(SyntaxError);
});
