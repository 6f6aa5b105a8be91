import { describe, expect, it } from 'vitest';
import { neighbourKeyframes } from '../../../renderer/canvas/tracks/neighbour-keyframes.ts';
import { createTrackShapes } from '../../../renderer/canvas/tracks/track-shapes.ts';
import type { TrackRecord } from '../../../renderer/canvas/types.ts';
import { makeTrack } from '../../support/canvas-track.ts';
import { driveEditor } from './support/editor-driver.ts';

const frames = Array.from({ length: 10 }, (_, frame) => frame);
/** Position of the box per frame, 'out' if it is outside, nothing on deleted frames. */
const seenWith = (track: TrackRecord, deleted: readonly number[]) => {
  const shapes = createTrackShapes(new Set(deleted));
  return frames.map((frame) => {
    const shape = shapes.at(track, frame);
    return shape === null ? null : shape.outside ? 'out' : shape.points[0];
  });
};

describe('a track with a keyframe on a deleted frame', () => {
  const still = (track: TrackRecord): TrackRecord => ({
    ...track,
    keyframes: track.keyframes.map((one) => ({ ...one, points: [1, 0, 2, 1] })),
  });

  it.each([
    ['the only one', still(makeTrack('a', [[0]])), 0],
    ['the one from which on it is outside', still(makeTrack('a', [[0], [4, 'outside']])), 4],
    ['the last one', makeTrack('a', [[2], [6]]), 6],
    ['the first one', still(makeTrack('a', [[2], [6]])), 2],
    ['between two others', makeTrack('a', [[2], [4], [6]]), 4],
    ['one on the last frame', makeTrack('a', [[2], [9]]), 9],
  ])('is unchanged on all other frames: %s', (_, track, frame) => {
    const before = seenWith(track, []).map((seen, index) => (index === frame ? null : seen));
    const { changes } = neighbourKeyframes([track], { frame, frames, deleted: new Set() });
    const [change] = changes;
    const after = change?.after?.kind === 'track' ? change.after : track;
    const seen = seenWith(after, [frame]);
    // Before the deleted frame, positions may differ by a fraction, because interpolation ends at the frame after it.
    expect(seen.slice(frame)).toEqual(before.slice(frame));
    expect(seen.map((one) => typeof one)).toEqual(before.map((one) => typeof one));
  });

  it('skips other deleted frames, and gets no unnecessary keyframe', () => {
    const track = still(makeTrack('a', [[0], [4, 'outside']]));
    expect(neighbourKeyframes([track], { frame: 4, frames, deleted: new Set([5, 6]) }).to).toBe(7);
    const between = makeTrack('a', [[2], [4], [6]]);
    expect(neighbourKeyframes([between], { frame: 4, frames, deleted: new Set() }).changes).toEqual([]);
    expect(neighbourKeyframes([between], { frame: 5, frames, deleted: new Set() }).changes).toEqual([]);
  });
});

describe('deleting a frame', () => {
  it('is a separate step of the history, with its changes of tracks', () => {
    const { editor, commands } = driveEditor();
    const track = makeTrack('a', [[0], [4, 'outside']]);
    editor.tracks.reset([track], new Set());
    const { changes } = neighbourKeyframes([track], { frame: 4, frames, deleted: new Set() });
    const deletion = { frame: 4, deleted: true };
    editor.commands.execute({ kind: 'frame', frame: 4, label: 'Deleted frame 4', changes, deletion });
    expect(editor.tracks.get('a')?.keyframes.map(({ frame }) => frame)).toEqual([0, 4, 5]);
    editor.undo();
    expect(commands.at(-1)?.command.deletion).toEqual({ frame: 4, deleted: false });
    expect(editor.tracks.get('a')).toEqual(track);
    editor.redo();
    expect(commands.at(-1)?.command.deletion).toEqual(deletion);
  });

  it('is undone before the edit that was made before it', () => {
    const { editor, commands } = driveEditor();
    editor.commands.execute({ kind: 'frame', frame: 0, changes: [], deletion: { frame: 0, deleted: true } });
    expect(editor.history.canUndo).toBe(true);
    // Changes of others remove an object from the history.
    editor.commands.takeIn([{ clientId: 'a', before: null, after: makeTrack('a', [[0]]) }]);
    editor.undo();
    expect(commands.map(({ command }) => command.deletion?.deleted)).toEqual([true, false]);
  });
});
