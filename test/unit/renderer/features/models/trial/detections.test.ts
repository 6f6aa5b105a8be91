import { describe, expect, test } from 'vitest';
import { anchorOf, readAnswer } from '../../../../../../renderer/features/models/trial/detections.ts';

const read = (value: unknown) => readAnswer(JSON.stringify(value));
const partsOf = (item: object) => read([item]).detections[0]?.parts;

describe('the answer of a detector', () => {
  test('draws rectangles, polygons, polylines, points and ellipses at their positions', () => {
    expect(partsOf({ type: 'rectangle', points: [1, 2, 5, 6] })).toEqual([
      { type: 'path', isClosed: true, points: [1, 2, 5, 2, 5, 6, 1, 6] },
    ]);
    expect(partsOf({ type: 'polygon', points: [0, 0, 4, 0, 4, 4] })).toEqual([
      { type: 'path', isClosed: true, points: [0, 0, 4, 0, 4, 4] },
    ]);
    expect(partsOf({ type: 'polyline', points: [0, 0, 4, 4] })).toMatchObject([{ isClosed: false }]);
    expect(partsOf({ type: 'points', points: [3, 4] })).toEqual([{ type: 'points', points: [3, 4] }]);
    expect(partsOf({ type: 'ellipse', points: [10, 10, 15, 7] })).toEqual([
      { type: 'ellipse', x: 10, y: 10, rx: 5, ry: 3 },
    ]);
  });

  test('draws masks from their crop and from run lengths alike', () => {
    const mask = [255, 0, 0, 255, 255, 255, 2, 3, 4, 4];
    const expected = [{ type: 'mask', left: 2, top: 3, width: 3, height: 2, pixels: Uint8Array.of(1, 0, 0, 1, 1, 1) }];
    expect(partsOf({ type: 'mask', mask, points: [2, 3, 4, 4] })).toEqual(expected);
    expect(partsOf({ type: 'mask', points: [0, 1, 2, 3, 2, 3, 4, 4] })).toEqual(expected);
  });

  test('draws the visible points of a skeleton, and the faces and edges of a cuboid', () => {
    const elements = [
      { label: 'nose', type: 'points', points: [1, 1], outside: 0 },
      { label: 'tail', type: 'points', points: [9, 9], outside: 1 },
    ];
    expect(partsOf({ type: 'skeleton', elements })).toEqual([{ type: 'points', points: [1, 1] }]);
    expect(partsOf({ type: 'cuboid', points: Array.from({ length: 16 }, (_, index) => index) })).toHaveLength(6);
  });

  test('reads scores as text, and omits missing ones', () => {
    const { detections } = read([
      { label: 'car', type: 'rectangle', points: [0, 0, 1, 1], confidence: '0.75' },
      { label: 'road', type: 'tag', confidence: null },
      { label: 'car', type: 'rectangle', points: [0, 0, 1, 1] },
    ]);
    expect(detections.map(({ score }) => score)).toEqual([0.75, null, null]);
    expect(detections[0]?.color).toBe(detections[2]?.color);
    expect(detections[0]?.color).not.toBe(detections[1]?.color);
  });

  test('with NaN is read nevertheless', () => {
    const { detections } = readAnswer('[{"label":"a NaN","type":"tag","confidence":NaN},{"type":"tag"}]');
    expect(detections.map(({ label, score }) => [label, score])).toEqual([
      ['a NaN', null],
      ['', null],
    ]);
  });

  test('that cannot be drawn is reported and does not hide the others', () => {
    const { detections, notes } = read([
      { label: 'car', type: 'rectangle', points: [0, 0, 'x', 1] },
      { label: 'car', type: 'mask', mask: [255, 255, 0, 0, 5, 5] },
      { label: 'car', type: 'hexagon', points: [0, 0] },
      { label: 'car', type: 'rectangle', points: [1, 2, 3, 4] },
    ]);
    expect(detections).toHaveLength(1);
    expect(notes).toEqual(['unreadable']);
    expect(readAnswer('Exception caught').notes).toEqual(['notJson']);
    expect(read({ detail: 'x' }).notes).toEqual(['noList']);
  });

  test('has a position for its label', () => {
    const [detection] = read([{ type: 'polygon', points: [5, 9, 3, 4, 8, 8] }]).detections;
    expect(detection && anchorOf(detection)).toEqual({ x: 3, y: 4 });
    const [tag] = read([{ type: 'tag', label: 'night' }]).detections;
    expect(tag && anchorOf(tag)).toBeNull();
  });
});

describe('the answer of other kinds', () => {
  test('an interactor answers a mask of the whole image, points, or shapes', () => {
    expect(
      read({
        mask: [
          [0, 255],
          [255, 0],
        ],
      }).detections[0]?.parts,
    ).toEqual([{ type: 'mask', left: 0, top: 0, width: 2, height: 2, pixels: Uint8Array.of(0, 1, 1, 0) }]);
    expect(
      read({
        points: [
          [0, 0],
          [4, 0],
          [4, 4],
        ],
      }).detections,
    ).toHaveLength(1);
    expect(read({ shapes: [{ type: 'mask', points: [0, 1, 0, 0, 0, 0] }] }).detections[0]?.parts).toHaveLength(1);
    expect(read({ blob: 'AAAA' }).notes).toEqual(['embedding']);
  });

  test('a tracker answers bare numbers or shapes', () => {
    const { detections } = read({
      shapes: [
        [1, 2, 3, 4],
        [0, 0, 4, 0, 4, 4, 0, 4],
      ],
      states: [{}, {}],
    });
    expect(detections.map(({ kind }) => kind)).toEqual(['rectangle', 'polygon']);
    expect(read({ shapes: [{ type: 'rectangle', points: [1, 2, 3, 4] }] }).detections).toHaveLength(1);
  });

  test('a re-identification answers numbers', () => {
    expect(read([0, -1, 2])).toEqual({ detections: [], notes: ['numbers'] });
  });
});
