import { expect, it } from 'vitest';
import { trackSchema } from '../../../../../../../preload/contract/schema/annotations.ts';
import { keyframeChangeOf } from '../../../../../../../renderer/features/workspace/model/saving/keyframe-change.ts';
import type { TrackBody } from '../../../../../../../renderer/features/workspace/model/saving/save-types.ts';

const box = (frame: number, x = frame) => ({ type: 'rectangle' as const, frame, points: [x, 0, x + 5, 5] });
const track = (shapes: ReturnType<typeof box>[], more: object = {}): TrackBody =>
  trackSchema.parse({ frame: shapes[0]?.frame ?? 0, label_id: 1, shapes, ...more });
const change = (base: TrackBody | undefined, body: TrackBody, serverId: number | undefined = 7) =>
  keyframeChangeOf({
    key: 'k',
    action: 'update',
    edits: [
      {
        localId: 'a',
        collection: 'tracks',
        deleted: false,
        body,
        ...(base === undefined ? {} : { base }),
        ...(serverId === undefined ? {} : { serverId }),
      },
    ],
  });

const stored = track([box(2), box(4), box(9)]);

it.each([
  ['a changed keyframe', track([box(2), box(4, 30), box(9)]), 4],
  ['a new keyframe', track([box(2), box(4), box(6), box(9)]), 6],
  ['a new first keyframe', track([box(1), box(2), box(4), box(9)]), 1],
  ['a new last keyframe', track([box(2), box(4), box(9), box(12)]), 12],
])('sends only the keyframe for %s', (_, body, frame) => {
  expect(change(stored, body)).toEqual({
    track: 7,
    frame,
    keyframe: body.shapes.find((shape) => shape.frame === frame),
  });
});

it.each([
  ['in the middle', track([box(2), box(9)]), 4],
  ['at the start', track([box(4), box(9)]), 2],
  ['at the end', track([box(2), box(4)]), 9],
])('deletes only the keyframe %s', (_, body, frame) => {
  expect(change(stored, body)).toEqual({ track: 7, frame, keyframe: null });
});

it.each([
  ['two keyframes changed', stored, track([box(2, 20), box(4), box(9, 30)])],
  ['a keyframe moved to another frame', stored, track([box(2), box(5), box(9)])],
  ['the label changed too', stored, track([box(2), box(4, 30), box(9)], { label_id: 2 })],
  ['nothing changed', stored, stored],
  ['the last keyframe was deleted', track([box(2)]), track([], { frame: 2 })],
  ['the state of the service is unknown', undefined, track([box(2), box(4, 30), box(9)])],
  [
    'the track is a skeleton',
    track([box(2)], { elements: [{ ...track([box(2)]), elements: undefined }] }),
    track([box(2, 9)], { elements: [{ ...track([box(2)]), elements: undefined }] }),
  ],
])('sends the entire track if %s', (_, base, body) => {
  expect(change(base, body)).toBeNull();
});
