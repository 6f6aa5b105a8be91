import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFramesBehind, type FrameSeries } from '../../../main/media/video/reverse-frames.ts';

let behind: ReturnType<typeof createFramesBehind>;
beforeEach(() => {
  behind = createFramesBehind();
});
afterEach(() => behind.close());

/** Frames whose bytes are their number, and the decoded frames per run. */
function createSeries(change: Partial<FrameSeries> = {}) {
  const runs: number[][] = [];
  const kept = new Map<number, Buffer>();
  const series: FrameSeries = {
    id: 'a video',
    async *decode(frames, signal) {
      const run: number[] = [];
      runs.push(run);
      for (const frame of frames) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        run.push(frame);
        yield { data: Buffer.from([frame]), width: 1, height: 1 };
      }
    },
    async keep(frame, { data }) {
      kept.set(frame, data);
      return data;
    },
    isKept: async (frame) => kept.has(frame),
    ...change,
  };
  /** Requests like the store: a frame that this does not decode comes from the cache, or is decoded alone. */
  async function ask(frame: number): Promise<'behind' | 'kept' | 'alone'> {
    const made = await behind.frame(series, frame);
    if (made) expect(made[0]).toBe(frame);
    if (made) return 'behind';
    return (await series.isKept(frame)) ? 'kept' : 'alone';
  }
  return { series, runs, kept, ask };
}

const downFrom = (top: number, count: number, stride = 1) =>
  Array.from({ length: count }, (_, step) => top - step * stride);

test('decodes blocks for backward steps, each started in time and larger than the previous one', async () => {
  const { runs, ask } = createSeries();
  expect(await ask(100)).toBe('alone');
  for (const frame of downFrom(99, 99)) expect(['behind', 'kept']).toContain(await ask(frame));
  expect(await ask(0)).not.toBe('alone');
  expect(runs.map((run) => run.length)).toEqual([12, 24, 48, 16]);
  expect(runs.flat().toSorted((a, b) => a - b)).toEqual(downFrom(99, 100).toReversed());
});

test('decodes blocks of frames in a regular distance after two steps', async () => {
  const { runs, ask } = createSeries();
  expect([await ask(200), await ask(195)]).toEqual(['alone', 'alone']);
  for (const frame of downFrom(190, 10, 5)) expect(['behind', 'kept']).toContain(await ask(frame));
  expect(runs[0]).toEqual(downFrom(190, 12, 5).toReversed());
});

test('does nothing for steps forward, leaps, another video and cached frames', async () => {
  const { runs, kept, ask, series } = createSeries();
  for (const frame of [10, 11, 12, 200, 100, 100]) expect(await ask(frame)).toBe('alone');
  expect(await behind.frame({ ...series, id: 'another' }, 99)).toBeUndefined();
  kept.set(49, Buffer.from([49]));
  expect([await ask(50), await ask(49)]).toEqual(['alone', 'kept']);
  expect(runs).toEqual([]);
});

test('shares one run for several who step at once; a leap cancels it', async () => {
  const { runs, ask } = createSeries();
  await ask(100);
  expect(await Promise.all([99, 98, 97].map(ask))).toEqual(['behind', 'behind', 'behind']);
  await ask(50);
  expect(await ask(49)).toBe('behind');
  expect(runs.at(-1)).toEqual(downFrom(49, 12).toReversed());
});

test('decodes each frame alone if decoding fails or nothing can be cached', async () => {
  const failing = createSeries({
    async *decode() {
      yield* [];
      throw new Error('damaged');
    },
  });
  await failing.ask(100);
  expect(await failing.ask(99)).toBe('alone');
  await behind.close();
  behind = createFramesBehind();
  const full = createSeries({ keep: async (_, { data }) => data });
  await full.ask(100);
  expect(await full.ask(99)).toBe('behind');
  await expect
    .poll(() => full.ask(98).then((first) => full.ask(97).then((second) => [first, second])))
    .toContain('alone');
});

test('does not answer a cancelled request, and closing ends running work', async () => {
  const { ask, series, runs } = createSeries();
  await ask(100);
  const controller = new AbortController();
  const gone = behind.frame(series, 99, controller.signal);
  controller.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await behind.close();
  expect(runs.flat().length).toBeLessThan(12);
});
