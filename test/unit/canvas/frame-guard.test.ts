import { describe, expect, it } from 'vitest';
import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { maskFromBitmap } from '../../../preload/geometry/mask-runs.ts';
import { added, changed } from '../../../renderer/canvas/changes.ts';
import { pasteRecords } from '../../../renderer/canvas/object-edits.ts';
import type { ObjectRecord, ShapeRecord, TrackRecord } from '../../../renderer/canvas/types.ts';
import { makeElement, makeShape } from '../../support/canvas-shape.ts';
import { makeTrack } from '../../support/canvas-track.ts';
import { driveEditor } from './support/editor-driver.ts';

/** Even frames are 640 × 480, odd ones 300 × 200. */
const sizeOf = (frame: number) => (frame % 2 === 0 ? { width: 640, height: 480 } : { width: 300, height: 200 });
const job = (frame: number) => driveEditor([], sizeOf(frame), () => null, { sizeOf, differing: [0, 1, 2, 3] }, frame);

const mask = (left: number, top: number, width: number, height: number): readonly number[] =>
  maskFromBitmap(new Uint8Array(width * height).fill(1), width, height, { left, top }) ?? [];
const box = (x: number, y: number, more: Partial<ShapeRecord> = {}) =>
  makeShape('one', 'rectangle', [x, y, x + 100, y + 80], more);
const front = [250, 150, 250, 190, 290, 150, 290, 190];
const skeleton = (...places: readonly (readonly [number, number])[]) =>
  makeShape('one', 'skeleton', [], {
    labelId: 3,
    elements: places.map((at, index) => makeElement(`e${index}`, 31, at)),
  });

/** Each extends beyond the right or lower edge of an odd frame. */
const reaching: readonly (readonly [string, ShapeRecord])[] = [
  ['rectangle', box(250, 150)],
  ['turned rectangle', box(220, 100, { rotation: 45 })],
  ['ellipse', makeShape('one', 'ellipse', [270, 100, 320, 60])],
  ['turned ellipse', makeShape('one', 'ellipse', [270, 100, 320, 60], { rotation: 30 })],
  ['polygon', makeShape('one', 'polygon', [250, 150, 350, 150, 300, 250])],
  ['polyline', makeShape('one', 'polyline', [250, 150, 350, 180])],
  ['points', makeShape('one', 'points', [250, 150, 350, 180])],
  [
    'cuboid',
    makeShape('one', 'cuboid', [...front, ...front.map((value, index) => value + (index % 2 === 0 ? 40 : 5))]),
  ],
  ['mask', makeShape('one', 'mask', mask(290, 190, 20, 20))],
  ['skeleton', skeleton([250, 150], [350, 180])],
];
const outside: readonly (readonly [string, ShapeRecord])[] = [
  ['rectangle', box(400, 300)],
  ['turned rectangle', box(400, 300, { rotation: 45 })],
  ['ellipse', makeShape('one', 'ellipse', [400, 300, 430, 280])],
  ['polygon', makeShape('one', 'polygon', [400, 300, 450, 300, 420, 350])],
  ['polyline', makeShape('one', 'polyline', [400, 300, 450, 300])],
  ['points', makeShape('one', 'points', [400, 300])],
  [
    'cuboid',
    makeShape(
      'one',
      'cuboid',
      [...front, ...front].map((value) => value + 200),
    ),
  ],
  ['mask', makeShape('one', 'mask', mask(400, 300, 20, 20))],
  ['skeleton', skeleton([400, 300], [420, 330])],
];

const expectInside = (record: ObjectRecord | undefined, frame: number): void => {
  if (record?.kind !== 'shape') throw new Error('There is no shape.');
  const { left, top, right, bottom } = boundingBox(record)!;
  const { width, height } = sizeOf(frame);
  expect([left >= -0.01, top >= -0.01, right <= width + 0.01, bottom <= height + 0.01]).toEqual([
    true,
    true,
    true,
    true,
  ]);
};

describe('an object that is copied to a smaller image', () => {
  const newId = () => 'copy';

  it.each(reaching)('is clipped or moved into it: %s', (_, shape) => {
    const { editor, last, refusals } = job(0);
    editor.commands.execute({ kind: 'other', changes: [added({ ...shape, frame: 1 })] });
    const after = last().changes[0]?.after;
    expect(after?.frame).toBe(1);
    expectInside(after ?? undefined, 1);
    expect(refusals).toEqual(['canvas.fit.fitted 1']);
  });

  it.each(outside)('is skipped and counted if it is outside: %s', (_, shape) => {
    const { editor, commands, refusals } = job(0);
    expect(editor.commands.execute({ kind: 'other', changes: [added({ ...shape, frame: 1 })] })).toBeNull();
    expect(commands).toEqual([]);
    expect(refusals).toEqual(['canvas.fit.left 1']);
  });

  it.each([...reaching, ...outside])('is moved into it by a paste, and clipped if it is larger: %s', (_, shape) => {
    const { editor, last } = job(1);
    pasteRecords(editor, [shape], newId);
    expectInside(last().changes[0]?.after ?? undefined, 1);
  });

  it('keeps its position when it is pasted in place', () => {
    const { editor, last, refusals } = job(1);
    pasteRecords(editor, [box(250, 150), { ...box(400, 300), clientId: 'far' }], newId, true);
    expect(last().changes.map(({ after }) => (after?.kind === 'shape' ? after.points : null))).toEqual([
      [250, 150, 300, 200],
    ]);
    expect(refusals).toEqual(['canvas.fit.objects 1 1']);
  });

  it('counts only copied objects in the history', () => {
    const { editor, last } = job(0);
    const changes = [box(10, 10, { frame: 1 }), box(400, 300, { frame: 1, clientId: 'far' })].map(added);
    editor.commands.execute({ kind: 'other', label: (count) => `Copied ${count}`, changes });
    expect(last().label).toBe('Copied 1');
  });

  it('is unchanged on an image of its size', () => {
    const { editor, last, refusals } = job(0);
    editor.commands.execute({ kind: 'other', changes: [added(box(400, 300, { frame: 2 }))] });
    expect(last().changes[0]?.after).toMatchObject({ points: [400, 300, 500, 380] });
    expect(refusals).toEqual([]);
  });
});

describe('an object that was already outside', () => {
  it('can still be given another label and be moved', () => {
    const stored = box(250, 150, { frame: 1 });
    const { editor, last, refusals } = job(1);
    editor.setFrameShapes([stored], 1);
    editor.commands.execute({ kind: 'label', changes: [changed(stored, { ...stored, labelId: 2 })] });
    expect(last().changes[0]?.after).toMatchObject({ labelId: 2, points: stored.points });
    editor.commands.execute({ kind: 'move', changes: [changed(stored, { ...stored, points: [240, 150, 340, 230] })] });
    expect(last().changes[0]?.after).toMatchObject({ points: [240, 150, 340, 230] });
    expect(refusals).toEqual([]);
  });
});

describe('a track over images of different size', () => {
  const trackAt = (x: number, y: number): TrackRecord => {
    const track = makeTrack('track', [[0]]);
    return { ...track, keyframes: track.keyframes.map((one) => ({ ...one, points: [x, y, x + 100, y + 80] })) };
  };

  it('is clipped on those that it extends out of, and complete on the others', () => {
    const { editor, refusals } = job(0);
    editor.commands.execute({ kind: 'track', changes: [added(trackAt(250, 150))] });
    const track = editor.tracks.get('track')!;
    const shown = [0, 1, 2, 3].map((frame) => editor.tracks.at(track, frame)?.points);
    const [whole, cut] = [
      [250, 150, 350, 230],
      [250, 150, 300, 200],
    ];
    expect(shown).toEqual([whole, cut, whole, cut]);
    expect(refusals).toEqual(['canvas.fit.frames 2']);
  });

  it('is invisible on those that it is outside of', () => {
    const { editor } = job(0);
    editor.commands.execute({ kind: 'track', changes: [added(trackAt(400, 300))] });
    const track = editor.tracks.get('track')!;
    expect([0, 1, 2, 3].map((frame) => editor.tracks.at(track, frame)?.outside)).toEqual([false, true, false, true]);
  });

  it('interpolates between its keyframes as before', () => {
    const { editor } = job(0);
    const start = trackAt(0, 0);
    const [first] = start.keyframes;
    const track = { ...start, keyframes: [first!, { ...first!, frame: 3, points: [300, 0, 400, 80] }] };
    editor.commands.execute({ kind: 'track', changes: [added(track)] });
    const after = editor.tracks.get('track')!;
    const seen = [0, 1, 2, 3].map((frame) => editor.tracks.at(after, frame));
    expect(seen.slice(0, 3).map((one) => one?.points[0])).toEqual([0, 100, 200]);
    expect(seen.map((one) => one?.outside)).toEqual([false, false, false, true]);
  });
});
