import { describe, expect, it } from 'vitest';
import { createFrameTimes } from '../../../../renderer/video/frame-times.ts';
import { createLookAhead } from '../../../../renderer/video/look-ahead.ts';

/** Records the frames that it decodes up to. Each decoding ends when `finish` is called. */
function useLookAhead() {
  const seconds = Array.from({ length: 200 }, (_, frame) => frame / 30);
  const times = createFrameTimes({ first: 0, seconds, keyframes: [0], tolerance: 1 / 60 });
  const targets: number[] = [];
  let finish = (): void => {};
  const decoder = {
    decode(frame: number): Promise<VideoFrame> {
      targets.push(frame);
      const { promise, reject } = Promise.withResolvers<VideoFrame>();
      finish = () => reject(new Error('The test decodes no frames.'));
      return promise;
    },
  };
  const ahead = createLookAhead({ times, decoder });
  const finished = async (): Promise<void> => {
    finish();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { ahead, targets, finished };
}

describe('decoding ahead', () => {
  it('continues with the next frames while earlier ones are delivered from memory', async () => {
    const { ahead, targets, finished } = useLookAhead();
    for (const frame of [10, 11, 12]) ahead.notice(frame);
    ahead.resume();
    for (const frame of [13, 14]) {
      ahead.notice(frame);
      ahead.resume();
    }
    expect(targets).toEqual([20]);
    await finished();
    expect(targets).toEqual([20, 22]);
    await finished();
    expect(targets).toEqual([20, 22]);
  });

  it('goes on when late frames are skipped and the page requests their neighbours', () => {
    const { ahead, targets } = useLookAhead();
    for (const shown of [10, 13, 16]) for (const frame of [shown, shown + 2, shown + 1]) ahead.notice(frame);
    ahead.resume();
    expect(targets).toEqual([26]);
  });

  it('does not begin when the user steps backwards', () => {
    const { ahead, targets } = useLookAhead();
    for (const frame of [20, 21, 22, 18, 17, 16, 15]) ahead.notice(frame);
    ahead.resume();
    expect(targets).toEqual([]);
  });
});
