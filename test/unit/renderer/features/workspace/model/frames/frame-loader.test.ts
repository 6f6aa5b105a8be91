import { describe, expect, it } from 'vitest';
import { createFrameLoader } from '../../../../../../../renderer/features/workspace/model/frames/frame-loader.ts';

interface FakeBitmap {
  readonly frame: number;
  readonly width: number;
  readonly height: number;
  closed: boolean;
  close(): void;
}

function source() {
  const requested: number[] = [];
  const waiting = new Map<number, () => void>();
  const bitmaps: FakeBitmap[] = [];
  const read = (frame: number, signal: AbortSignal): Promise<ImageBitmap> =>
    new Promise((resolve, reject) => {
      requested.push(frame);
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      waiting.set(frame, () => {
        const bitmap: FakeBitmap = {
          frame,
          width: 10,
          height: 10,
          closed: false,
          close: () => void (bitmap.closed = true),
        };
        bitmaps.push(bitmap);
        resolve(bitmap as unknown as ImageBitmap);
      });
    });
  const arrive = async (...frames: number[]): Promise<void> => {
    for (const frame of frames) waiting.get(frame)?.();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { read, arrive, requested, bitmaps };
}

const job = { first: 0, last: 100 };

describe('frame loader', () => {
  it('has the next two frames and the previous one ready after a frame is shown', async () => {
    const frames = source();
    const loader = createFrameLoader(frames.read);
    void loader.load(5);
    await frames.arrive(5);
    loader.show(5);
    loader.prefetchAround(5, 1, job);
    expect(frames.requested).toEqual([5, 4, 7, 6]);
    await frames.arrive(6, 4, 7);
    expect([3, 4, 5, 6, 7, 8].filter((frame) => loader.ready(frame) !== undefined)).toEqual([4, 5, 6, 7]);
  });

  it('releases images far behind the displayed frame, and keeps those near it', async () => {
    const frames = source();
    const loader = createFrameLoader(frames.read);
    for (let frame = 0; frame <= 20; frame += 1) {
      void loader.load(frame);
      await frames.arrive(frame);
      loader.show(frame);
    }
    expect(frames.bitmaps.filter(({ closed }) => !closed).map(({ frame }) => frame)).toEqual([18, 19, 20]);
  });

  it('looks ahead in the direction of the steps', () => {
    const frames = source();
    createFrameLoader(frames.read).prefetchAround(5, -1, job);
    expect(frames.requested).toEqual([6, 3, 4]);
  });

  it('stays inside the job', () => {
    const frames = source();
    createFrameLoader(frames.read).prefetchAround(10, 1, { first: 10, last: 11 });
    expect(frames.requested).toEqual([11]);
  });

  it('keeps only the displayed frame when the window is hidden', async () => {
    const frames = source();
    const loader = createFrameLoader(frames.read);
    void loader.load(5);
    await frames.arrive(5);
    loader.show(5);
    loader.prefetchAround(5, 1, job);
    await frames.arrive(6, 4);
    loader.release();
    expect([4, 5, 6, 7].filter((frame) => loader.ready(frame) !== undefined)).toEqual([5]);
    expect(frames.bitmaps.filter(({ closed }) => closed).map(({ frame }) => frame)).toEqual([6, 4]);
  });

  it('sends one request for a loading frame', async () => {
    const frames = source();
    const loader = createFrameLoader(frames.read);
    const both = Promise.all([loader.load(1), loader.load(1)]);
    await frames.arrive(1);
    await both;
    expect(frames.requested).toEqual([1]);
  });

  it('cancels distant frames, and loads them again on request', async () => {
    const frames = source();
    const loader = createFrameLoader(frames.read);
    loader.show(0);
    loader.prefetchAround(0, 1, job);
    loader.show(50);
    loader.prefetchAround(50, 1, job);
    const wanted = loader.load(1);
    await frames.arrive(1);
    expect(await wanted).toMatchObject({ width: 10 });
    expect(frames.requested.filter((frame) => frame === 1)).toHaveLength(2);
  });

  it('keeps within its budget, releases evicted frames, and never evicts the visible one', async () => {
    const frames = source();
    const loader = createFrameLoader(frames.read, 1_000);
    void loader.load(0);
    await frames.arrive(0);
    loader.show(0);
    for (const frame of [1, 2, 3]) {
      void loader.load(frame);
      await frames.arrive(frame);
    }
    expect(loader.ready(0)).toBeDefined();
    expect(loader.ready(3)).toBeDefined();
    expect(frames.bitmaps.filter((bitmap) => bitmap.closed).map((bitmap) => bitmap.frame)).toEqual([1, 2]);
    loader.close();
    expect(frames.bitmaps.every((bitmap) => bitmap.closed)).toBe(true);
  });

  it('retries a frame that could not be read', async () => {
    let attempts = 0;
    const loader = createFrameLoader(() => Promise.reject(new Error(`attempt ${(attempts += 1)}`)));
    await expect(loader.load(2)).rejects.toThrow('attempt 1');
    await expect(loader.load(2)).rejects.toThrow('attempt 2');
  });
});
