import { describe, expect, it } from 'vitest';
import {
  createImageDecoder,
  type DecodeRequest,
} from '../../../../../../../renderer/features/workspace/model/frames/image-decoder.ts';

const whole = { width: 4000, height: 3000 };

/** The other side of the worker: answers when the test says so. */
function worker() {
  const side = new EventTarget();
  const received: DecodeRequest[] = [];
  const closed: number[] = [];
  const lives = { started: 0, ended: 0 };
  const start = () => {
    lives.started += 1;
    return {
      postMessage: (request: DecodeRequest) => void received.push(request),
      addEventListener: side.addEventListener.bind(side),
      terminate: () => void (lives.ended += 1),
    };
  };
  const answer = async (id: number): Promise<void> => {
    const bitmap = { close: () => void closed.push(id) };
    side.dispatchEvent(new MessageEvent('message', { data: { id, bitmap, size: whole } }));
    await Promise.resolve();
  };
  return { start, received, closed, lives, answer, fail: () => side.dispatchEvent(new Event('error')) };
}

const file = (name: string): Blob => new Blob([name]);
const never = new AbortController().signal;
const names = (requests: readonly DecodeRequest[]) => Promise.all(requests.map(({ file: blob }) => blob.text()));

describe('image decoder', () => {
  it('decodes the last requested image after those that already run', async () => {
    const { start, received, answer } = worker();
    const decoder = createImageDecoder(start);
    for (const name of ['1', '2', '3', '4']) void decoder.decode(file(name), null, never);
    await answer(1);
    expect(await names(received)).toEqual(['1', '2', '4']);
  });

  it('has no queue after a held key: of 30 steps it decodes those that ran and the last', async () => {
    const { start, received, answer } = worker();
    const decoder = createImageDecoder(start);
    const steps = Array.from({ length: 30 }, (_, index) => ({ name: String(index), abort: new AbortController() }));
    const results = steps.map(({ name, abort }) => decoder.decode(file(name), null, abort.signal));
    const settled = Promise.allSettled(results);
    for (const { abort } of steps.slice(0, -1)) abort.abort();
    for (const id of [1, 2, 3]) await answer(id);
    expect(await names(received)).toEqual(['0', '1', '29']);
    expect((await settled).map(({ status }) => status)).toEqual([...Array(29).fill('rejected'), 'fulfilled']);
  });

  it('closes the bitmap of an image that is no longer wanted', async () => {
    const { start, closed, answer } = worker();
    const abort = new AbortController();
    const result = createImageDecoder(start).decode(file('1'), null, abort.signal);
    abort.abort();
    await Promise.all([expect(result).rejects.toThrow(), answer(1)]);
    expect(closed).toEqual([1]);
  });

  it('replaces a worker that has decoded many bytes once it is idle, because it keeps its files', async () => {
    const { start, received, lives, answer } = worker();
    const decoder = createImageDecoder(start);
    const large = new Blob([new Uint8Array(12 * 1024 * 1024)]);
    for (let step = 0; step < 3; step += 1) void decoder.decode(large, null, never);
    await answer(1);
    await answer(2);
    expect(lives).toEqual({ started: 1, ended: 0 });
    await answer(3);
    expect(lives).toEqual({ started: 2, ended: 1 });
    const next = decoder.decode(file('4'), null, never);
    await answer(4);
    expect((await next).size).toEqual(whole);
    expect(received).toHaveLength(4);
    expect(lives).toEqual({ started: 2, ended: 1 });
  });

  it('starts another worker after one that failed', async () => {
    const { start, received, answer, fail } = worker();
    const decoder = createImageDecoder(start);
    const first = decoder.decode(file('1'), null, never);
    fail();
    await expect(first).rejects.toThrow('Cannot decode the image');
    const second = decoder.decode(file('2'), { width: 2000, height: 1500 }, never);
    await answer(2);
    expect((await second).size).toEqual(whole);
    expect(received[1]?.target).toEqual({ width: 2000, height: 1500 });
  });
});
