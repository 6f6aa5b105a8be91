import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  functionMemoryMiB,
  placeOnGpus,
  usableMiB,
  usedMiB,
  type GpuShare,
  type Gpu,
} from '../../../../main/functions/gpu/gpu-budget.ts';
import { listGpus, memoryByProcess } from '../../../../main/functions/gpu/nvidia-smi.ts';

const small: Gpu = { index: 0, uuid: 'GPU-a', name: 'Small', memoryMiB: 8000 };
const large: Gpu = { index: 1, uuid: 'GPU-b', name: 'Large', memoryMiB: 24_000 };
const cards = [small, large];
const request = (memoryMiB: number | null, count = 1, devices: string[] = []) => ({
  functionName: 'new',
  count,
  devices,
  memoryMiB,
});
const share = (functionName: string, card: Gpu, memoryMiB: number | null): GpuShare => ({
  functionName,
  uuid: card.uuid,
  memoryMiB,
});

describe('two cards', () => {
  test('a function gets the GPU with the most free memory', () => {
    expect(placeOnGpus(request(4000), cards, []).cards).toEqual([large]);
    expect(placeOnGpus(request(4000), cards, [share('a', large, 20_000)]).cards).toEqual([small]);
  });

  test('a function that names its GPU gets that one, by number or by UUID', () => {
    expect(placeOnGpus(request(4000, 1, ['0']), cards, []).cards).toEqual([small]);
    expect(placeOnGpus(request(4000, 1, ['GPU-a']), cards, []).cards).toEqual([small]);
  });

  test('a function that does not fit is refused with the numbers', () => {
    const shares = [share('sam', small, 6000), share('yolo', large, 12_000), share('dino', large, 8000)];
    expect(() => placeOnGpus(request(5000), cards, shares)).toThrow(
      '"new" needs 5000 MiB of GPU memory, but no GPU has enough free. GPU 1 (Large): 1600 of 21600 MiB ' +
        'free, held: yolo 12000, dino 8000; GPU 0 (Small): 1200 of 7200 MiB free, held: sam 6000.',
    );
  });

  test('all functions together use no more of a GPU than the settings permit', () => {
    const budgeted = { ...large, budgetMiB: 6000 };
    expect(usableMiB(budgeted)).toBe(6000);
    expect(placeOnGpus(request(4000), [budgeted], [share('a', large, 2000)]).cards).toEqual([budgeted]);
    expect(() => placeOnGpus(request(4001), [budgeted], [share('a', large, 2000)])).toThrow('4000 of 6000 MiB free');
    // Memory of other programs counts against the GPU, not against the functions.
    const shared = { ...budgeted, externalMiB: 10_000 };
    expect(placeOnGpus(request(6000), [shared], []).cards).toEqual([shared]);
  });

  test("ignores a function's own memory when it is deployed again", () => {
    expect(placeOnGpus(request(20_000), cards, [share('new', large, 20_000)]).cards).toEqual([large]);
  });

  test('names a missing GPU', () => {
    expect(() => placeOnGpus(request(1, 1, ['7']), cards, [])).toThrow(/GPU 7, which does not exist.*GPU-b/);
    expect(() => placeOnGpus(request(1, 3), cards, [])).toThrow(/needs 3 GPUs; the Engine has 2/);
    expect(() => placeOnGpus(request(1), [], [])).toThrow(/needs 1 GPU; the Engine has 0/);
  });

  test('accepts unknown needs with a warning', () => {
    const { cards: chosen, warnings } = placeOnGpus(request(null), cards, [share('a', large, 1000)]);
    expect(chosen).toEqual([large]);
    expect(warnings[0]).toMatch(/not known yet \(GPU 1 has 20600 MiB free\)/);
  });

  test('gives a function of unknown size a GPU alone until it is measured', () => {
    const starting = { ...share('new one', large, null), isStarting: true };
    expect(placeOnGpus(request(10), cards, [starting]).cards).toEqual([small]);
    expect(() => placeOnGpus(request(10, 2), cards, [starting])).toThrow(/held: new one unknown/);
  });

  test('counts memory of other programs, and measurements on the one GPU', () => {
    const busy = { ...large, externalMiB: 20_000 };
    expect(placeOnGpus(request(4000), [small, busy], []).cards).toEqual([small]);
    expect(() => placeOnGpus(request(7000, 2), [small, busy], [])).toThrow(
      /1600 of 21600 MiB free, held: other programs 20000/,
    );
    const measured = { ...request(4000, 1, ['1']), memoryByCard: { 'GPU-b': 1500 } };
    expect(placeOnGpus(measured, [small, busy], []).cards).toEqual([busy]);
  });

  test('refuses a function that no GPU could hold, whatever else runs', () => {
    expect(() => placeOnGpus(request(30_000), cards, [])).toThrow(/more than available even if nothing else runs/);
  });

  test('multiplies the need by the workers', () => {
    expect(functionMemoryMiB(3, 1500)).toBe(4500);
    expect(functionMemoryMiB(3, null)).toBeNull();
  });
});

test('promises no GPU more than it has, for any order of deployments', () => {
  const deploys = fc.array(
    fc.record({ memoryMiB: fc.integer({ min: 1, max: 20_000 }), count: fc.integer({ min: 1, max: 2 }) }),
  );
  fc.assert(
    fc.property(deploys, (list) => {
      const shares: GpuShare[] = [];
      for (const [index, { memoryMiB, count }] of list.entries()) {
        try {
          const placed = placeOnGpus({ functionName: `f${index}`, count, devices: [], memoryMiB }, cards, shares);
          for (const card of placed.cards) shares.push(share(`f${index}`, card, memoryMiB));
        } catch {}
        for (const card of cards) expect(usedMiB(card, shares)).toBeLessThanOrEqual(usableMiB(card));
      }
    }),
  );
});

describe('output of the driver', () => {
  test('cards', async () => {
    const answer = '0, GPU-a, NVIDIA A2, 15356\n1, GPU-b, NVIDIA H200, 143771\n';
    expect(await listGpus(async () => answer)).toEqual([
      { index: 0, uuid: 'GPU-a', name: 'NVIDIA A2', memoryMiB: 15_356, usedMiB: null },
      { index: 1, uuid: 'GPU-b', name: 'NVIDIA H200', memoryMiB: 143_771, usedMiB: null },
    ]);
  });

  test('includes the memory used by all processes, and slices instead of a partitioned GPU', async () => {
    const answers = {
      '--query-gpu': '0, GPU-a, NVIDIA A2, 15356, 1200, [N/A]\n1, GPU-b, NVIDIA A100, 40960, 30, Enabled\n',
      '-L': [
        'GPU 0: NVIDIA A2 (UUID: GPU-a)',
        'GPU 1: NVIDIA A100 (UUID: GPU-b)',
        '  MIG 3g.20gb     Device  0: (UUID: MIG-1)',
        '  MIG 1g.5gb      Device  1: (UUID: MIG-2)',
      ].join('\n'),
    };
    const run = async (args: readonly string[]) => answers[args[0] === '-L' ? '-L' : '--query-gpu'];
    expect(await listGpus(run)).toEqual([
      { index: 0, uuid: 'GPU-a', name: 'NVIDIA A2', memoryMiB: 15_356, usedMiB: 1200 },
      { index: 1, uuid: 'MIG-1', name: 'MIG 3g.20gb', memoryMiB: 19_456, usedMiB: null },
      { index: 1, uuid: 'MIG-2', name: 'MIG 1g.5gb', memoryMiB: 4864, usedMiB: null },
    ]);
  });

  test('is empty without a driver, or with one that cannot list GPUs', async () => {
    expect(await listGpus(() => Promise.reject(new Error('ENOENT')))).toEqual([]);
    expect(await listGpus(async () => 'No devices were found\n')).toEqual([]);
  });

  test('includes the memory of processes, and skips unknown values', async () => {
    const answer = 'GPU-a, 12, 300\nGPU-a, 12, 20\nGPU-b, 12, 7\nGPU-a, 13, [N/A]\n';
    expect(await memoryByProcess(async () => answer)).toEqual(
      new Map([
        ['GPU-a', new Map([[12, 320]])],
        ['GPU-b', new Map([[12, 7]])],
      ]),
    );
  });
});
