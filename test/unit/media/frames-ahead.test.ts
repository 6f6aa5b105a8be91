import { expect, test } from 'vitest';
import { createFramesAhead } from '../../../main/media/video/prefetch-frames.ts';
import { createVideoRuns } from '../../../main/media/video/video-runs.ts';

test('reads ahead for forward steps at any pace; not for leaps, steps back and others', () => {
  const { after } = createFramesAhead();
  const ask = (...frames: number[]) => frames.map((frame) => after('a', frame)).at(-1);
  expect(ask(5)).toEqual([]);
  expect(ask(6)).toEqual([]);
  expect(ask(7)).toEqual([8, 9]);
  // One more each after the previous one was reported.
  expect(ask(8)).toEqual([10]);
  expect(ask(200)).toEqual([]);
  expect(ask(205, 210)).toEqual([215, 220]);
  expect(ask(209, 208, 207)).toEqual([]);
  expect(ask(300, 301, 302)).toEqual([303, 304]);
  expect(after('b', 303)).toEqual([]);
});

test('serves simultaneous requests for consecutive frames with one decoder', async () => {
  const starts: number[] = [];
  const runs = createVideoRuns({
    frameCount: async () => 500,
    async *decode(_file, frames) {
      starts.push(frames[0] ?? -1);
      for (const frame of frames) {
        await new Promise((resolve) => setImmediate(resolve));
        yield { data: Buffer.from([frame]), width: 1, height: 1 };
      }
    },
  });
  const requested = [40, 42, 41, 43, 50, 44, 45];
  const given = await Promise.all(requested.map(async (frame) => (await runs.frame('video', frame)).data[0]));
  expect(given).toEqual(requested);
  expect(starts[0]).toBe(40);
  // The others start at most one more run, because frames before the first of them were not decoded for any request.
  expect(starts.length).toBeLessThanOrEqual(2);
  await runs.close();
});

test('does not restart the decoder for a request that two following ones overtake', async () => {
  let starts = 0;
  const runs = createVideoRuns({
    frameCount: async () => 500,
    async *decode(_file, frames) {
      starts += 1;
      for (const frame of frames) yield { data: Buffer.from([frame]), width: 1, height: 1 };
    },
  });
  for (const frame of [5, 6, 8, 9, 7, 10, 12, 13, 14, 11]) {
    expect((await runs.frame('video', frame)).data[0]).toBe(frame);
  }
  expect(starts).toBe(1);
  // A request elsewhere starts a new run, and the old one is not kept endlessly.
  await runs.frame('video', 300);
  expect(starts).toBe(2);
  await runs.close();
});
