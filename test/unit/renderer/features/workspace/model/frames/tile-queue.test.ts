import { describe, expect, it } from 'vitest';
import type { TilePlace } from '../../../../../../../renderer/canvas/types.ts';
import { createTileQueue } from '../../../../../../../renderer/features/workspace/model/frames/tile-queue.ts';

const place = (column: number): TilePlace => ({ level: 0, column, row: 0 });
const places = (from: number, count: number) => Array.from({ length: count }, (_, index) => place(from + index));

function openQueue() {
  const requested: number[] = [];
  const calledOff: number[] = [];
  const failures: unknown[] = [];
  const waiting = new Map<number, { come: () => void; fail: (error: Error) => void }>();
  const queue = createTileQueue({
    nameOf: ({ column }) => String(column),
    fetch: ({ column }, signal) =>
      new Promise<void>((resolve, reject) => {
        requested.push(column);
        waiting.set(column, { come: resolve, fail: reject });
        signal.addEventListener('abort', () => {
          calledOff.push(column);
          reject(new DOMException('', 'AbortError'));
        });
      }),
    onFailure: (error) => failures.push(error),
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { queue, requested, calledOff, failures, waiting, settle };
}

describe('visible tiles', () => {
  it('are loaded in order, six at a time, each once', async () => {
    const { queue, requested, waiting, settle } = openQueue();
    queue.want(places(0, 8));
    expect(requested).toEqual([0, 1, 2, 3, 4, 5]);
    waiting.get(2)?.come();
    await settle();
    expect(requested).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (const column of [0, 1, 3, 4, 5, 6]) waiting.get(column)?.come();
    await settle();
    waiting.get(7)?.come();
    await settle();
    expect(requested).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(queue.isWaiting()).toBe(false);
  });

  it('are cancelled when others become visible, except for those that are still visible', async () => {
    const { queue, requested, calledOff, failures, settle } = openQueue();
    queue.want(places(0, 6));
    queue.want(places(4, 4));
    await settle();
    expect(calledOff).toEqual([0, 1, 2, 3]);
    expect(requested).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(failures).toEqual([]);
    queue.want([]);
    await settle();
    expect(queue.isWaiting()).toBe(false);
  });

  it('that fail are reported, block none, and are loaded again on request', async () => {
    const { queue, requested, failures, waiting, settle } = openQueue();
    queue.want(places(0, 2));
    waiting.get(0)?.fail(new Error('no picture'));
    waiting.get(1)?.come();
    await settle();
    expect(failures).toEqual([new Error('no picture')]);
    expect([queue.hasFailed(), queue.isWaiting(), requested]).toEqual([true, false, [0, 1]]);
    queue.retry();
    expect(requested).toEqual([0, 1, 0]);
    expect(queue.hasFailed()).toBe(false);
  });
});
