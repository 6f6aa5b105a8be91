import { expect, test } from 'vitest';
import { gitObjectSchema, objectOf, textOf } from '../../../../main/git-sync/annotation-objects.ts';
import { matchCopy } from '../../../../main/git-sync/copy/match-objects.ts';

type Given = Record<string, unknown>;

const shape = (points: readonly number[], more: Given = {}): string =>
  textOf(
    gitObjectSchema.parse({
      kind: 'shape',
      type: 'rectangle',
      frame: 0,
      label: 'boat',
      group: 0,
      source: 'manual',
      points,
      occluded: false,
      outside: false,
      z_order: 0,
      rotation: 0,
      score: 1,
      attributes: {},
      elements: [],
      ...more,
    }),
  );
const state = (...texts: readonly string[]) => new Map(texts.map((text, index) => [`own${index}`, text]));
const newUid = () => 'new';
const match = (own: readonly string[], before: readonly string[], after: readonly string[]) => {
  const { state: target, unmatched } = matchCopy(state(...own), { before, after }, newUid);
  return { objects: [...target].map(([uid, text]) => [uid, objectOf(text)] as const), unmatched };
};

const box = [10, 10, 30, 20];
const moved = [12, 10, 32, 20];

test('changes only objects that a program has changed in the copy: data that the format lacks stays', () => {
  const own = shape([10.2, 9.8, 30.1, 20], { group: 5, z_order: 3, attributes: { flag: 'red', name: 'Anna' } });
  const before = shape(box, { attributes: { flag: 'red' } });
  const after = shape(moved, { attributes: { flag: 'blue' }, label: 'ship' });
  expect(match([own], [before], [after])).toEqual({
    objects: [
      [
        'own0',
        expect.objectContaining({
          label: 'ship',
          group: 5,
          z_order: 3,
          points: moved,
          attributes: { flag: 'blue', name: 'Anna' },
        }),
      ],
    ],
    unmatched: 0,
  });
});

test('replaces an outline of another type only if it was changed', () => {
  const ellipse = shape([20, 15, 30, 10], { type: 'ellipse', group: 2 });
  const drawn = shape([10, 15, 20, 10, 30, 15, 20, 20], { type: 'polygon' });
  const redrawn = shape([10, 15, 20, 8, 30, 15, 20, 20], { type: 'polygon' });
  const renamed = shape([10, 15, 20, 10, 30, 15, 20, 20], { type: 'polygon', label: 'ship' });
  expect(match([ellipse], [drawn], [redrawn]).objects).toMatchObject([['own0', { type: 'polygon', group: 2 }]]);
  expect(match([ellipse], [drawn], [renamed]).objects).toMatchObject([['own0', { type: 'ellipse', label: 'ship' }]]);
});

test('deletes as many equal objects as the copy lost, and adds new ones', () => {
  const { objects, unmatched } = match(
    [shape(box), shape(box)],
    [shape(box), shape(box)],
    [shape(box), shape([50, 50, 60, 60])],
  );
  expect(objects.map(([uid]) => uid)).toEqual(['own1', 'new']);
  expect(unmatched).toBe(0);
});

test('counts unmatched objects, and neither changes nor adds them', () => {
  const far = shape([100, 100, 120, 120]);
  const { objects, unmatched } = match([far], [shape(box)], [shape(moved)]);
  expect(objects.map(([, object]) => object)).toEqual([objectOf(far)]);
  expect(unmatched).toBe(1);
});

test('deletes a missing tag, and adds one with another label', () => {
  const tag = (label: string): string =>
    textOf({ kind: 'tag', frame: 1, label, group: 0, source: 'manual', attributes: {} });
  expect(match([tag('boat')], [tag('boat')], [tag('ship')]).objects).toEqual([['new', objectOf(tag('ship'))]]);
});

test('matches tracks by their first shape', () => {
  const track = (first: readonly number[], last: readonly number[], group: number): string => {
    const keyframe = (frame: number, points: readonly number[]) => ({
      frame,
      type: 'rectangle',
      points,
      occluded: false,
      outside: false,
      z_order: 0,
      rotation: 0,
      attributes: {},
    });
    return textOf(
      gitObjectSchema.parse({
        kind: 'track',
        frame: 0,
        label: 'boat',
        group,
        source: 'manual',
        attributes: {},
        shapes: [keyframe(0, first), keyframe(9, last)],
        elements: [],
      }),
    );
  };
  const own = track(box, moved, 4);
  const { objects } = match([own], [track(box, moved, 0)], [track(box, box, 0)]);
  expect(objects).toMatchObject([['own0', { group: 4, shapes: [{ points: box }, { frame: 9, points: box }] }]]);
});
