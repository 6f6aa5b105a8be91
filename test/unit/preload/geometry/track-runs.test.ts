import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isVisible,
  readTrack,
  type PieceKeyframe,
  type TrackPiece,
} from '../../../../preload/geometry/track-pieces.ts';

const lastFrame = 30;
const keyframe = (type: 'rectangle' | 'skeleton' | 'points') =>
  fc
    .record({ frame: fc.nat(lastFrame), outside: fc.boolean(), value: fc.constantFrom('a', 'b', null) })
    .map(({ frame, outside, value }): PieceKeyframe => ({
      type,
      frame,
      outside,
      occluded: false,
      z_order: 0,
      rotation: 0,
      points: type === 'skeleton' ? [] : type === 'points' ? [frame, 1] : [frame, 0, frame + 5, 5],
      attributes: value === null ? [] : [{ spec_id: 1, value }],
    }));
const keyframes = (type: 'rectangle' | 'skeleton' | 'points') =>
  fc.uniqueArray(keyframe(type), { selector: ({ frame }) => frame, minLength: 1, maxLength: 6 }).map((shapes) => ({
    shapes: shapes.toSorted((a, b) => a.frame - b.frame),
    frame: Math.min(...shapes.map(({ frame }) => frame)),
  }));
const plain = { label_id: 1, group: 0, source: 'manual' as const, attributes: [] };
const boxTrack = keyframes('rectangle').map((part): TrackPiece => ({ ...plain, ...part, elements: [] }));
const skeletonTrack = fc
  .tuple(keyframes('skeleton'), fc.array(keyframes('points'), { minLength: 1, maxLength: 3 }))
  .map(([own, elements]): TrackPiece => ({
    ...plain,
    ...own,
    elements: elements.map((part, index) => ({ ...plain, label_id: 2 + index, ...part })),
  }));

test('the runs of a track cover exactly the frames on which it is visible, with their attributes', () => {
  fc.assert(
    fc.property(
      fc.oneof(boxTrack, skeletonTrack),
      fc.uniqueArray(fc.nat(lastFrame), { maxLength: 8 }),
      fc.tuple(fc.nat(lastFrame), fc.nat(lastFrame)),
      (track, gone, [a, b]) => {
        const deleted = new Set(gone);
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const seen = readTrack(track, { first, last, deleted });
        const shapes = [...(seen?.shapes() ?? [])].filter(isVisible);
        const wanted = shapes.map(({ frame, attributes }) => [frame, JSON.stringify(attributes)]);
        const runs = [...(seen?.runs() ?? [])].flatMap((run) =>
          Array.from({ length: run.last - run.first + 1 }, (_, index) => run.first + index)
            .filter((frame) => !deleted.has(frame))
            .map((frame) => [frame, JSON.stringify(run.shape.attributes)]),
        );
        expect(runs).toEqual(wanted);
      },
    ),
    { numRuns: 3000 },
  );
});
