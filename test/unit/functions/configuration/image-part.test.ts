import { expect, test } from 'vitest';
import { imagePart, isImageReference } from '../../../../main/functions/configuration/image-reference.ts';

test('each name of a function gives a different part of an image name', () => {
  const names = ['a-b', 'a.b', 'a_b', 'a__b', 'a--b', 'a..b', 'a._b', 'a.-b', 'a___b', 'a-.b'];
  const parts = names.map(imagePart);
  expect(new Set(parts).size).toBe(names.length);
  for (const part of parts) expect(isImageReference(`limner-function/${part}:version-1`), part).toBe(true);
  expect(imagePart('a-b')).toBe('a-b');
});
