import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMediaCache } from '../../../main/media/media-cache.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function createWork() {
  const runs: AbortSignal[] = [];
  let finish = (): void => {};
  const produce = (signal: AbortSignal) =>
    new Promise<Buffer>((resolve, reject) => {
      runs.push(signal);
      finish = () => resolve(Buffer.from('picture'));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const begun = async () => {
    while (runs.length === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, produce, begun, finish: () => finish() };
}

describe('simultaneous requests for one file', () => {
  it('are answered although the first of them was cancelled', async () => {
    const cache = createMediaCache({ directory: temporaryFolder(), maxBytes: 1e6 });
    const { runs, produce, begun, finish } = createWork();
    const controller = new AbortController();
    const first = cache.bytes('a', produce, controller.signal);
    const second = cache.bytes('a', produce);
    await begun();
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    finish();
    expect((await second).toString()).toBe('picture');
    expect(runs).toHaveLength(1);
  });

  it('stop the work when all are cancelled; a later one starts again', async () => {
    const directory = temporaryFolder();
    const cache = createMediaCache({ directory, maxBytes: 1e6 });
    const abandoned = createWork();
    const controller = new AbortController();
    const both = [1, 2].map(() => cache.bytes('a', abandoned.produce, controller.signal));
    await abandoned.begun();
    controller.abort(new Error('gone'));
    for (const one of both) await expect(one).rejects.toThrow('gone');
    expect(abandoned.runs[0]?.aborted).toBe(true);
    expect(readdirSync(directory)).toEqual([]);
    const anew = createWork();
    const later = cache.bytes('a', anew.produce);
    await anew.begun();
    anew.finish();
    expect((await later).toString()).toBe('picture');
  });

  it('fail when their media are deleted', async () => {
    const directory = temporaryFolder();
    const cache = createMediaCache({ directory, maxBytes: 1e6 });
    const { produce, begun } = createWork();
    const waiting = cache.bytes('a', produce);
    waiting.catch(() => {});
    await begun();
    await cache.close();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(directory)).toEqual([]);
  });
});

it('a full cache evicts the least recently used file', async () => {
  const directory = temporaryFolder();
  const picture = () => Promise.resolve(Buffer.alloc(100));
  const cache = createMediaCache({ directory, maxBytes: 1000 });
  const names = ['c', 'a', 'd', 'b', 'e', 'f', 'g'];
  for (const [index, name] of names.entries()) {
    await cache.bytes(name, picture);
    utimesSync(join(directory, name), 1_000_000 + index, 1_000_000 + index);
  }
  // A second later than the others, so it is the most recently used.
  await cache.bytes('c', picture);
  for (const name of ['h', 'i', 'j', 'k']) await cache.bytes(name, picture);
  const left = readdirSync(directory).toSorted();
  expect(left).toContain('c');
  expect(left).toContain('k');
  expect(left).not.toContain('a');
  expect(left).not.toContain('d');
});
