import { expect, it } from 'vitest';
import { ambiguous, createPathFinder } from '../../../../main/formats/kit/path-finder.ts';

const finderOf = (...names: readonly string[]) =>
  createPathFinder({ paths: () => names.map((name, id) => [name, id] as const) });

it('finds no image for a name that two images have without their extension', () => {
  const find = finderOf('road/a.jpg', 'road/a.png');
  expect(find({ name: 'road/a' })).toBe(ambiguous);
  expect(find({ name: 'road/a.png' })).toBe(1);
});

it('reads a name that was percent-encoded twice', () => {
  expect(finderOf('my photo.jpg')({ name: 'my%2520photo.jpg' })).toBe(0);
});

it('finds a name in decomposed Unicode', () => {
  expect(finderOf('Käse.jpg')({ name: 'Käse.jpg'.normalize('NFD') })).toBe(0);
});
