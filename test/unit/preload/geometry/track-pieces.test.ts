import { expect, test } from 'vitest';
import { indexRanges } from '../../../../preload/geometry/frame-spans.ts';
import { cutForJobs, type PieceKeyframe } from '../../../../preload/geometry/track-pieces.ts';

const frames = 4000;

/** Cuts a track with a keyframe on every fourth frame, and counts how often the frame of one is read. */
function readsOfCut(jobs: number): number {
  let reads = 0;
  const shapes = Array.from({ length: frames / 4 }, (_, index) => ({
    type: 'rectangle' as const,
    get frame() {
      reads += 1;
      return 4 * index;
    },
    occluded: false,
    outside: false,
    z_order: 0,
    rotation: 0,
    points: [index, 1, index + 9, 9],
    attributes: [],
  })) satisfies PieceKeyframe[];
  const spans = Array.from({ length: jobs }, (_, job) => ({
    first: (job * frames) / jobs,
    last: ((job + 1) * frames) / jobs - 1,
  }));
  const track = { frame: 0, label_id: 1, group: 0, source: 'manual' as const, attributes: [], shapes, elements: [] };
  expect(cutForJobs(track, spans, indexRanges(spans)).pieces).toHaveLength(jobs);
  return reads;
}

test('a track is cut into jobs without walking over all keyframes for each job', () => {
  const [few, many] = [readsOfCut(10), readsOfCut(1000)];
  // A walk for each job reads 1,000 × 1,000 frames. A search reads some 20 more for each job.
  expect(many - few).toBeLessThan(1000 * 60);
});
