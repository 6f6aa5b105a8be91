import { describe, expect, it } from 'vitest';
import { createDecodeBudget } from '../../../main/media/decode-budget.ts';

function createScene(options: { bytes: number; atOnce: number }) {
  const budget = createDecodeBudget(options);
  const atWork: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, bytes: number, signal?: AbortSignal) =>
    budget.run(
      bytes,
      async () => {
        atWork.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        atWork.splice(atWork.indexOf(name), 1);
        return name;
      },
      signal,
    );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { atWork, begin, end: (name: string) => ends.get(name)?.(), settled };
}

describe('the budget of decodes', () => {
  it('admits requests in order while there is memory', async () => {
    const { atWork, begin, end, settled } = createScene({ bytes: 100, atOnce: 3 });
    const all = [begin('a', 60), begin('b', 60), begin('c', 10), begin('d', 10)];
    await settled();
    expect(atWork).toEqual(['a']);
    end('a');
    await settled();
    expect(atWork).toEqual(['b', 'c', 'd']);
    for (const name of ['b', 'c', 'd']) end(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('runs a request above the budget alone, and limits the number of parallel ones', async () => {
    const { atWork, begin, end, settled } = createScene({ bytes: 100, atOnce: 2 });
    const all = [begin('small', 1), begin('huge', 1e9), begin('next', 0), begin('last', 0), begin('waits', 0)];
    await settled();
    expect(atWork).toEqual(['small']);
    end('small');
    await settled();
    expect(atWork).toEqual(['huge', 'next']);
    end('huge');
    end('next');
    await settled();
    expect(atWork).toEqual(['last', 'waits']);
    end('last');
    end('waits');
    await Promise.all(all);
  });

  it('releases memory after a failure, and forgets cancelled requests', async () => {
    const { atWork, begin, end, settled } = createScene({ bytes: 10, atOnce: 1 });
    const budget = createDecodeBudget({ bytes: 10, atOnce: 1 });
    await expect(budget.run(10, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await budget.run(10, () => Promise.resolve(1))).toBe(1);
    const controller = new AbortController();
    const first = begin('first', 10);
    const gone = begin('gone', 10, controller.signal);
    const last = begin('last', 10);
    controller.abort(new Error('went away'));
    await expect(gone).rejects.toThrow('went away');
    end('first');
    await first;
    await settled();
    expect(atWork).toEqual(['last']);
    end('last');
    await last;
  });
});
