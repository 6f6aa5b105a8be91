import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginAt,
  copyKeyframe,
  endAt,
  keyframesOf,
  mergeObjects,
  moveKeyframe,
  removeBefore,
  removeFrom,
  removeKeyframe,
  setKeyframe,
  setOutside,
  splitTrack,
} from '../../../renderer/canvas/tracks/track-edits.ts';
import { pasteRecords } from '../../../renderer/canvas/object-edits.ts';
import type { Editor } from '../../../renderer/canvas/editor.ts';
import type { ShapeRecord, TrackRecord } from '../../../renderer/canvas/types.ts';
import { editBetween } from '../../../renderer/features/workspace/model/saving/record-codec.ts';
import { makeTrack } from '../../support/canvas-track.ts';
import { makeElement, makeShape } from '../../support/canvas-shape.ts';
import { driveEditor } from './support/editor-driver.ts';

/** Attribute 7 is mutable, 8 is not. */
const labels = new Map([
  [1, { name: 'car', color: '#ff0000', type: 'any' as const, mutable: [7] }],
  [2, { name: 'dot', color: '#00ff00', type: 'points' as const }],
]);

const values = (state: string, color: string) => [
  { spec_id: 7, value: state },
  { spec_id: 8, value: color },
];

function open() {
  const hand = driveEditor();
  hand.editor.setLabels(labels);
  const goTo = (frame: number): void => hand.editor.setFrameShapes([], frame);
  const track = (): TrackRecord => hand.editor.tracks.all()[0]!;
  const boxOn = (frame: number, one = track()) => hand.editor.tracks.shown(one, frame)?.points ?? null;
  return { hand, editor: hand.editor, goTo, track, boxOn };
}

/** A box of 20 × 20 that is drawn on frame 0 and moved by 100 to the right on frame 10. */
function drawn() {
  const world = open();
  const { hand, goTo, editor } = world;
  hand.tool('rectangle', { labelId: 1, asTrack: true, attributes: values('up', 'red') });
  hand.drag([10, 10], [30, 30]);
  editor.tools.set('select');
  goTo(10);
  hand.drag([20, 20], [120, 20]);
  return world;
}

const change = (editor: Editor, before: TrackRecord, after: TrackRecord | null): void =>
  void editor.commands.execute({ kind: 'track', changes: [{ clientId: before.clientId, before, after }] });

describe('a track', () => {
  it('gets a keyframe where it is edited, and is in between by interpolation', () => {
    const { track, boxOn, goTo, hand } = drawn();
    expect(keyframesOf(track())).toEqual([0, 10]);
    expect(boxOn(5)).toEqual([60, 10, 80, 30]);
    expect(boxOn(20)).toEqual([110, 10, 130, 30]);
    goTo(5);
    expect(hand.shapes()).toMatchObject([{ points: [60, 10, 80, 30], keyframe: false, trackId: track().clientId }]);
  });

  it('is one object: the first undo removes a keyframe, the next one the track', () => {
    const { editor, track, hand } = drawn();
    editor.undo();
    expect(keyframesOf(track())).toEqual([0]);
    editor.undo();
    expect(editor.tracks.all()).toEqual([]);
    expect(hand.shapes()).toEqual([]);
    editor.redo();
    editor.redo();
    expect(keyframesOf(track())).toEqual([0, 10]);
  });

  it('keeps immutable data out of its keyframes', () => {
    const { editor, track, goTo } = drawn();
    goTo(4);
    const { clientId: id } = track();
    editor.commands.update([id], { locked: true }, 'display');
    editor.commands.update([id], { locked: false, group: 3 }, 'group');
    editor.commands.update([id], { attributes: values('up', 'blue') }, 'attributes');
    expect(keyframesOf(track())).toEqual([0, 10]);
    expect(track()).toMatchObject({ group: 3, attributes: [{ spec_id: 8, value: 'blue' }] });
  });

  it('continues with the state and the mutable attributes of a keyframe', () => {
    const { editor, track, goTo, hand } = drawn();
    goTo(4);
    const { clientId: id } = track();
    editor.commands.update([id], { attributes: values('down', 'red'), occluded: true }, 'state');
    const stateOn = (frame: number) => {
      goTo(frame);
      const [shape] = hand.shapes();
      return [shape?.occluded, shape?.attributes.find(({ spec_id }) => spec_id === 7)?.value];
    };
    expect(stateOn(3)).toEqual([false, 'up']);
    expect(stateOn(6)).toEqual([true, 'down']);
    // Values continue until the next keyframe that changes them.
    expect(stateOn(10)).toEqual([false, 'down']);
  });

  it('is invisible while it is outside, except where it is shown on request', () => {
    const { editor, track, goTo, hand } = drawn();
    goTo(4);
    editor.commands.update([track().clientId], { outside: true }, 'state');
    expect(hand.shapes()).toMatchObject([{ outside: true, keyframe: true }]);
    goTo(6);
    expect(hand.shapes()).toEqual([]);
    expect(editor.selection.ids()).toEqual([track().clientId]);
    editor.commands.remove(editor.selection.ids());
    expect(hand.refusals).toEqual(['canvas.refused.notHere']);
    // It stays selected, so that it can be made visible again.
    editor.commands.update(editor.selection.ids(), { outside: false }, 'state');
    expect(keyframesOf(track())).toEqual([0, 4, 6, 10]);
    expect(hand.shapes()).toMatchObject([{ outside: false, keyframe: true }]);
  });

  it('ignores keyframes on deleted frames, and is invisible there', () => {
    const { editor, track, boxOn } = drawn();
    const whole = track();
    editor.tracks.reset([setKeyframe(whole, 5)!], new Set([10]));
    expect(boxOn(10)).toBeNull();
    expect(boxOn(20)).toEqual([60, 10, 80, 30]);
  });

  it('starts a new one where its copy is pasted', () => {
    const { editor, goTo, hand, track } = drawn();
    const copied = hand.shapes();
    goTo(15);
    const ids = ['copy-0', 'copy-1', 'command'];
    pasteRecords(editor, [...copied, makeShape('plain', 'rectangle', [0, 0, 5, 5])], () => ids.shift()!);
    expect(editor.tracks.all().map(keyframesOf)).toEqual([[0, 10], [15]]);
    expect(editor.scene.getShape('copy-1')?.trackId).toBeUndefined();
    expect(track().clientId).not.toBe('copy-0');
  });
});

it('keyframes are set, moved, copied and removed', () => {
  const whole = drawn().track();
  expect(keyframesOf(setKeyframe(whole, 4)!)).toEqual([0, 4, 10]);
  expect(keyframesOf(moveKeyframe(whole, 10, 7)!)).toEqual([0, 7]);
  expect(keyframesOf(copyKeyframe(whole, 10, 7)!)).toEqual([0, 7, 10]);
  expect(removeKeyframe(whole, 0)).toMatchObject({ frame: 10 });
  expect(removeKeyframe(removeKeyframe(whole, 0)!, 10)).toBeNull();
});

describe('parts of tracks', () => {
  const newId = () => 'fresh';
  const options = { newId, isMutable: () => true };

  it('are cut on either side, and the others stay the same', () => {
    const { track, boxOn } = drawn();
    const whole = track();
    const [before, after] = splitTrack(whole, 6, newId)!;
    for (let frame = 0; frame < 15; frame += 1) {
      expect(boxOn(frame, before), `${frame}`).toEqual(
        frame < 6 ? boxOn(frame, whole) : frame === 6 ? boxOn(6, whole) : null,
      );
      expect(boxOn(frame, after), `${frame}`).toEqual(frame < 6 ? null : boxOn(frame, whole));
    }
    // The first is set to outside on frame 6, by a keyframe on that frame.
    expect(before.keyframes.at(-1)).toMatchObject({ frame: 6, outside: true });
    expect(after).toMatchObject({ frame: 6, clientId: 'fresh' });
    expect(removeFrom(whole, 0)).toBeNull();
    expect(removeBefore(removeFrom(whole, 5)!, 6)).toBeNull();
  });

  it('are merged to the original', () => {
    const { track, boxOn } = drawn();
    const whole = track();
    const merged = mergeObjects(splitTrack(whole, 6, newId)!, options)!;
    for (let frame = 0; frame < 15; frame += 1) expect(boxOn(frame, merged), `${frame}`).toEqual(boxOn(frame, whole));
    expect(keyframesOf(merged)).toEqual([0, 6, 10]);
  });

  it('are separate when merged, and bridged when joined', () => {
    const { boxOn } = drawn();
    const on = (frame: number, left: number): ShapeRecord =>
      makeShape(`s${frame}`, 'rectangle', [left, 0, left + 10, 10], { frame });
    const merged = mergeObjects([on(8, 80), on(0, 0)], options)!;
    expect([0, 4, 8, 9].map((frame) => boxOn(frame, merged)?.[0] ?? null)).toEqual([0, null, 80, 80]);
    expect(merged.keyframes.map(({ frame, outside }) => [frame, outside])).toEqual([
      [0, false],
      [1, true],
      [8, false],
      [9, true],
    ]);
    const joined = mergeObjects([on(8, 80), on(0, 0)], { ...options, bridge: true })!;
    expect(boxOn(4, joined)).toEqual([40, 0, 50, 10]);
  });

  it('are not merged if they have another label or kind', () => {
    const box = makeShape('a', 'rectangle', [0, 0, 1, 1]);
    expect(mergeObjects([box, { ...box, clientId: 'b', labelId: 2 }], options)).toBeNull();
    expect(mergeObjects([box, { ...box, clientId: 'b', type: 'ellipse' }], options)).toBeNull();
    expect(mergeObjects([box], options)).toBeNull();
  });
});

it('a skeleton gets keyframes of the elements that were moved', () => {
  const { editor, goTo, track, hand } = open();
  const elements = [makeElement('e1', 2, [10, 10]), makeElement('e2', 2, [20, 20])];
  const figure = makeShape('figure', 'skeleton', [], { elements, trackId: 'figure' });
  editor.commands.execute({ kind: 'create', changes: [{ clientId: 'figure', before: null, after: figure }] });
  goTo(10);
  const [shape] = hand.shapes();
  const moved = shape!.elements!.map((one, index) => (index === 0 ? { ...one, points: [30, 10] } : one));
  editor.commands.update(['figure'], { elements: moved }, 'vertex');
  expect(track().elements?.map(({ keyframes }) => keyframes.map(({ frame }) => frame))).toEqual([[0, 10], [0]]);
  goTo(5);
  expect(hand.shapes()[0]?.elements?.map(({ points }) => points)).toEqual([
    [20, 10],
    [20, 20],
  ]);
});

describe('any sequence of track commands', () => {
  const frame = fc.integer({ min: 0, max: 20 });
  const step = fc.oneof(
    fc.record({ does: fc.constant('draw' as const), frame, left: fc.integer({ min: 0, max: 300 }) }),
    fc.record({ does: fc.constant('move' as const), frame, left: fc.integer({ min: -40, max: 40 }) }),
    fc.record({
      does: fc.constantFrom('outside', 'occluded', 'keyframe', 'unset', 'split', 'merge', 'from', 'before', 'delete'),
      frame,
      left: fc.constant(0),
    }),
  );

  function follow(editor: Editor) {
    const stored = new Map<string, unknown>();
    editor.events.on('command', ({ changes }) => {
      for (const { before, after } of changes) {
        const edit = editBetween(before, after);
        if (edit === null) continue;
        if (edit.deleted) stored.delete(edit.localId);
        else stored.set(edit.localId, edit.body);
      }
    });
    return stored;
  }

  it('restores scene and store when undone, and the result when redone', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
        const { editor, goTo } = open();
        const stored = follow(editor);
        let count = 0;
        const newId = () => `id-${(count += 1)}`;
        for (const { does, frame: at, left } of steps) {
          goTo(at);
          const all = editor.tracks.all();
          const track = all.find((one) => editor.scene.getShape(one.clientId) !== undefined);
          if (does === 'draw') {
            const id = newId();
            const after = makeShape(id, 'rectangle', [left, 0, left + 10, 10], { frame: at, trackId: id });
            editor.commands.execute({ kind: 'create', changes: [{ clientId: id, before: null, after }] });
          } else if (track === undefined) continue;
          else if (does === 'move') {
            const points = editor.scene.getShape(track.clientId)!.points.map((value) => value + left);
            editor.commands.update([track.clientId], { points }, 'move');
          } else if (does === 'outside') editor.commands.update([track.clientId], { outside: true }, 'state');
          else if (does === 'occluded') editor.commands.update([track.clientId], { occluded: true }, 'state');
          else if (does === 'delete') editor.commands.remove([track.clientId]);
          else if (does === 'keyframe') change(editor, track, setKeyframe(track, at));
          else if (does === 'unset') change(editor, track, removeKeyframe(track, at));
          else if (does === 'from') change(editor, track, removeFrom(track, at));
          else if (does === 'before') change(editor, track, removeBefore(track, at));
          else {
            const made =
              does === 'split' ? splitTrack(track, at, newId) : [mergeObjects(all, { newId, isMutable: () => true })];
            const [first, second] = made ?? [];
            if (!first) continue;
            const gone = does === 'split' ? [track] : all;
            editor.commands.execute({
              kind: 'track',
              changes: [
                ...gone.map((before) => ({ clientId: before.clientId, before, after: null })),
                ...[first, second].flatMap((after) =>
                  after ? [{ clientId: after.clientId, before: null, after }] : [],
                ),
              ],
            });
          }
        }
        const plain = () => ({
          stored: [...stored].sort(([a], [b]) => a.localeCompare(b)),
          tracks: editor.tracks.all().toSorted((a, b) => a.clientId.localeCompare(b.clientId)),
          scene: editor.scene.all().toSorted((a, b) => a.clientId.localeCompare(b.clientId)),
        });
        goTo(3);
        const end = plain();
        while (editor.undo() !== null);
        expect(plain()).toEqual({ stored: [], tracks: [], scene: [] });
        while (editor.redo() !== null);
        expect(plain()).toEqual(end);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the ends of a track', () => {
  const track = makeTrack('car', [[10], [40, 'outside'], [55], [90, 'outside']]);
  const framesOf = (one: TrackRecord | null) => one && keyframesOf(one);

  it('begin earlier with the first keyframe, later with the interpolated shape', () => {
    expect(beginAt(track, 10, 4)).toMatchObject({
      frame: 4,
      keyframes: [{ frame: 4, points: [10, 0, 11, 1] }, {}, {}, {}],
    });
    expect(beginAt(track, 10, 25)).toMatchObject({
      frame: 25,
      keyframes: [{ frame: 25, points: [25, 0, 26, 1] }, {}, {}, {}],
    });
    expect(framesOf(beginAt(track, 10, 45))).toEqual([55, 90]);
    expect(beginAt(track, 10, 95)).toBeNull();
  });

  it('end earlier where they are cut, later with the keyframe that ends them, and not at all at the last frame', () => {
    expect(framesOf(endAt(track, 89, 94, 99))).toEqual([10, 40, 55, 95]);
    expect(endAt(track, 89, 94, 99)?.keyframes.at(-1)).toMatchObject({
      frame: 95,
      outside: true,
      points: [90, 0, 91, 1],
    });
    expect(endAt(track, 89, 60, 99)?.keyframes.at(-1)).toMatchObject({
      frame: 61,
      outside: true,
      points: [61, 0, 62, 1],
    });
    expect(framesOf(endAt(track, 89, 99, 99))).toEqual([10, 40, 55]);
    expect(framesOf(endAt(track, 89, 45, 99))).toEqual([10, 40]);
    expect(endAt(track, 89, 5, 99)).toBeNull();
  });

  it('are outside, or visible again, from a keyframe on, with all elements', () => {
    const element = { ...makeTrack('dot', [[10]]), clientId: 'dot' };
    const skeleton = { ...track, elements: [element] };
    const out = setOutside(skeleton, 55, true);
    expect(out?.keyframes.map(({ outside }) => outside)).toEqual([false, true, true, true]);
    expect(out?.elements?.[0]?.keyframes).toMatchObject([
      { frame: 10, outside: false },
      { frame: 55, outside: true },
    ]);
  });
});
