import { describe, expect, it } from 'vitest';
import { createDecodedWindow } from '../../../../renderer/video/decoded-window.ts';
import { createLookBehind } from '../../../../renderer/video/look-behind.ts';

/** Records the frames that it decodes back from, and those that were aborted. No decoding ends. */
function useLookBehind() {
  const targets: number[] = [];
  const aborted: number[] = [];
  const decoder = {
    decode(frame: number, _before: number, signal: AbortSignal): Promise<VideoFrame> {
      targets.push(frame);
      signal.addEventListener('abort', () => aborted.push(frame));
      return Promise.withResolvers<VideoFrame>().promise;
    },
    close(): void {},
  };
  const behind = createLookBehind({ window: createDecodedWindow(), decoder: () => decoder });
  return { behind, targets, aborted };
}

describe('decoding behind', () => {
  it('begins and goes on when late frames are skipped and the page requests their neighbours', () => {
    const { behind, targets, aborted } = useLookBehind();
    for (const shown of [50, 47, 44]) {
      for (const frame of [shown, shown + 1, shown - 2, shown - 1]) behind.notice(frame);
    }
    expect(targets).toEqual([46]);
    expect(aborted).toEqual([]);
  });

  it('ends when the user steps forwards', () => {
    const { behind, targets, aborted } = useLookBehind();
    for (const frame of [50, 49, 48, 49, 50, 51]) behind.notice(frame);
    expect(targets).toEqual([47]);
    expect(aborted).toEqual([47]);
  });
});
