import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labeledDataSchema, type LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { mergeOverlap, type MergeableObjects } from '../../../preload/geometry/overlap-merge.ts';
import { cutForJobs, type PieceKeyframe, type TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import { mergeJobs, type JobFrames } from '../../../main/work/annotations/merge-jobs.ts';

const empty: MergeableObjects = { tags: [], shapes: [], tracks: [] };
const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);

/** `count` jobs of ten frames, each of which shares `overlap` frames with the next one. */
const jobsOf = (count: number, overlap: number): JobFrames[] =>
  Array.from({ length: count }, (_, index) => {
    const start_frame = index * (10 - overlap);
    return { start_frame, stop_frame: start_frame + 9 };
  });

/** Keyframes that count how often they are put in order. */
class Keyframes extends Array<PieceKeyframe> {
  static sorted = 0;
  static override get [Symbol.species]() {
    return Array;
  }
  override toSorted(compare?: (a: PieceKeyframe, b: PieceKeyframe) => number): PieceKeyframe[] {
    Keyframes.sorted += 1;
    return super.toSorted(compare);
  }
}

/** Number of looks at the objects of a task with this many jobs: in each job, a shape and a track that ends in it. */
function looksAt(jobs: readonly JobFrames[]): number {
  let looks = 0;
  Keyframes.sorted = 0;
  mergeJobs(jobs, ({ start_frame: frame }) => {
    const { shapes, tracks } = data({
      shapes: [{ type: 'rectangle', frame, label_id: 1, points: [1, 1, 9, 9] }],
      tracks: [
        {
          frame,
          label_id: 1,
          shapes: [
            { type: 'rectangle', frame, points: [1, 1, 9, 9] },
            { type: 'rectangle', frame: frame + 2, points: [1, 1, 9, 9], outside: true },
          ],
        },
      ],
    });
    const counted = shapes.map((shape) =>
      Object.defineProperty({ ...shape }, 'frame', { get: () => ((looks += 1), frame) }),
    );
    return {
      tags: [],
      shapes: counted,
      tracks: tracks.map((track) => ({ ...track, shapes: Keyframes.from(track.shapes), origin: frame })),
    };
  });
  return looks + Keyframes.sorted;
}

describe('merging the jobs of a task', () => {
  test.each([0, 2])('looks at each object a constant number of times, with an overlap of %i frames', (overlap) => {
    expect(looksAt(jobsOf(200, overlap))).toBeLessThanOrEqual(2.1 * looksAt(jobsOf(100, overlap)));
  });

  const boxes = fc.array(
    fc.record({
      frame: fc.integer({ min: 0, max: 39 }),
      x: fc.integer({ min: 0, max: 8 }),
      label: fc.integer({ min: 1, max: 2 }),
    }),
    { maxLength: 12 },
  );
  const trackInputs = fc.array(
    fc.array(
      fc.record({ frame: fc.integer({ min: 0, max: 39 }), x: fc.integer({ min: 0, max: 8 }), outside: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    { maxLength: 4 },
  );
  const at = (x: number) => [x, 0, x + 10, 10];

  test('gives the same objects as one merge after the other', () => {
    fc.assert(
      fc.property(
        boxes,
        trackInputs,
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        (shapes, tracks, overlap, uniteCut) => {
          const jobs = jobsOf(5, overlap);
          const input = data({
            shapes: shapes.map(({ frame, x, label }) => ({ type: 'rectangle', frame, label_id: label, points: at(x) })),
            tracks: tracks.map((keyframes) => {
              const unique = [...new Map(keyframes.map((one) => [one.frame, one])).values()].sort(
                (a, b) => a.frame - b.frame,
              );
              return {
                frame: unique[0]!.frame,
                label_id: 1,
                shapes: unique.map(({ frame, x, outside }) => ({
                  type: 'rectangle' as const,
                  frame,
                  outside,
                  points: at(x),
                })),
              };
            }),
          });
          const pieces = new Map<number, TrackPiece[]>();
          for (const [index, track] of input.tracks.entries()) {
            const spans = jobs.map(({ start_frame, stop_frame }) => ({ first: start_frame, last: stop_frame }));
            const cut = cutForJobs(track, spans);
            for (const { index: job, piece } of cut.pieces)
              pieces.set(job, [...(pieces.get(job) ?? []), cut.isCut ? { ...piece, origin: index } : piece]);
          }
          const read = (job: JobFrames): MergeableObjects => ({
            ...empty,
            shapes: input.shapes.filter(({ frame }) => frame >= job.start_frame && frame <= job.stop_frame),
            tracks: pieces.get(jobs.indexOf(job)) ?? [],
          });
          let expected: MergeableObjects = read(jobs[0]!);
          let stop = jobs[0]!.stop_frame;
          for (const job of jobs.slice(1)) {
            const frameCount = Math.max(0, stop - job.start_frame + 1);
            expected = mergeOverlap(expected, read(job), { startFrame: job.start_frame, frameCount, uniteCut });
            stop = job.stop_frame;
          }
          const { tags, shapes: merged, tracks: mergedTracks } = expected;
          expect(mergeJobs(jobs, read, { uniteCut })).toEqual({ tags, shapes: merged, tracks: mergedTracks });
        },
      ),
      { numRuns: 500 },
    );
  });
});
