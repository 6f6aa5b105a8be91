import type { SeededRandom } from './seeded-choice.ts';

export interface HoneypotSelector {
  /** The least used frames, each at most once. */
  readonly take: (count: number) => number[];
}

/**
 * Selects frames of a validation pool as CVAT does: frames are used equally often, not twice in a job, and in random
 * order. @param uses frames of the pool with the number of honeypots that repeat them
 */
export function createHoneypotSelector(uses: ReadonlyMap<number, number>, random: SeededRandom): HoneypotSelector {
  const byCount = [...Map.groupBy(uses, ([, count]) => count)].sort(([a], [b]) => a - b);
  const queue = byCount.flatMap(([, entries]) => random.shuffle(entries).map(([frame, count]) => ({ frame, count })));
  return {
    take(count) {
      const taken = queue.splice(0, count);
      for (const { frame, count: before } of taken) {
        const place = queue.findIndex((other) => other.count > before + 1);
        queue.splice(place < 0 ? queue.length : place, 0, { frame, count: before + 1 });
      }
      return taken.map(({ frame }) => frame);
    },
  };
}

export interface PooledJob {
  /** Indexes of frames in the order of the job. */
  readonly frames: readonly number[];
  readonly honeypots: ReadonlySet<number>;
}

/**
 * Distributes frames over jobs of `segmentSize` frames, and adds honeypots to each. The same seed gives the same jobs as
 * in CVAT. @param ordering a second generator with the same seed
 */
export function distributeHoneypots(
  frames: readonly number[],
  pool: readonly number[],
  {
    segmentSize,
    perJob,
    random,
    ordering,
  }: {
    readonly segmentSize: number;
    readonly perJob: number;
    readonly random: SeededRandom;
    readonly ordering: SeededRandom;
  },
): PooledJob[] {
  const shuffled = random.shuffle(frames);
  const selector = createHoneypotSelector(new Map(pool.map((frame) => [frame, 0])), random);
  const size = segmentSize === 0 ? shuffled.length : segmentSize;
  return Array.from({ length: Math.ceil(shuffled.length / size) }, (_, job) => {
    const honeypots = selector.take(perJob);
    const mixed = ordering.shuffle([...shuffled.slice(job * size, (job + 1) * size), ...honeypots]);
    return { frames: mixed, honeypots: new Set(honeypots) };
  });
}
