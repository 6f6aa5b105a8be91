import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usableMiB } from '../../../../main/functions/gpu/gpu-budget.ts';
import type { Resident } from '../../../../main/functions/runtime/gpu-queue.ts';
import { createGpuScheduler } from '../../../../main/functions/runtime/gpu-scheduler.ts';
import { newFunction, type FunctionRow } from '../../../../main/functions/records/function-repository.ts';
import { cardNeedOf, readRecord, type FunctionRecord } from '../../../../main/functions/records/function-record.ts';

const box = { seal: (text: string) => text, open: (text: string) => text };
const turns = async (count = 14) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

interface FunctionSpec {
  readonly cards: number;
  readonly workers: number;
  readonly memoryMiB: number;
  readonly isDeclared: boolean;
  readonly neverRests: boolean;
}

/**
 * Functions, GPUs and other programs around the scheduler. Containers, the driver's tool and the clock are simulated;
 * the scheduler and its records are real.
 */
function createWorld(cardSizes: readonly number[], specs: readonly FunctionSpec[]) {
  const cards = cardSizes.map((memoryMiB, index) => ({ index, uuid: `GPU-${index}`, name: 'Card', memoryMiB }));
  const models = specs.map((spec, index) => ({
    ...spec,
    name: `f${index}`,
    pid: index + 1,
    whole: spec.memoryMiB * spec.workers,
    calls: 0,
    usedMs: 0,
    readyMs: 0,
    way: null as PromiseWithResolvers<undefined> | null,
    start: null as Promise<void> | null,
  }));
  type Model = (typeof models)[number];
  const foreign = new Map(cards.map(({ uuid }) => [uuid, 0]));
  let told = new Map(foreign);
  const rows = new Map<string, FunctionRow>();
  const clock = { nowMs: 1 };
  const looks: (() => void)[] = [];
  const waiting = new Set<symbol>();
  const refused: string[] = [];
  const begun = new Map<Model, readonly string[]>();
  let stopped: { readonly model: Model; readonly cards: readonly string[] }[] = [];

  const record = ({ name }: Model): FunctionRecord => readRecord(rows.get(name)!, box);
  const note = ({ name }: Model, change: Partial<FunctionRow>) => rows.set(name, { ...rows.get(name)!, ...change });
  const isReady = ({ name }: Model) => rows.get(name)?.state === 'ready';
  for (const model of models) {
    const resources = { limits: { 'nvidia.com/gpu': model.cards } };
    const triggers = { http: { kind: 'http', numWorkers: model.workers } };
    const spec = { runtime: 'python', handler: 'main:handler', resources, triggers };
    rows.set(model.name, {
      ...newFunction(model.name, 'default', '2026-01-01T00:00:00.000Z'),
      id: model.pid,
      document: JSON.stringify({ metadata: { name: model.name }, spec }),
      state: 'scaledToZero',
      running_image: 'image',
      gpu_memory_mib: model.isDeclared ? model.memoryMiB : null,
      idle_stop_seconds: model.neverRests ? 0 : 60,
    });
  }
  const on = (uuid: string) => models.filter((model) => isReady(model) && record(model).cards.includes(uuid));
  const takenOf = (uuid: string) => on(uuid).reduce((sum, { whole }) => sum + whole, 0);

  const run = async ([question = '']: readonly string[]) => {
    if (question.startsWith('--query-compute-apps')) {
      return cards.flatMap(({ uuid }) => on(uuid).map(({ pid, whole }) => `${uuid}, ${pid}, ${whole}`)).join('\n');
    }
    told = new Map(foreign);
    const row = ({ index, uuid, name, memoryMiB }: (typeof cards)[number]) =>
      `${index}, ${uuid}, ${name}, ${memoryMiB}, ${takenOf(uuid) + foreign.get(uuid)!}, [N/A]`;
    return cards.map(row).join('\n');
  };
  const scheduler = createGpuScheduler({
    run,
    records: () => models.map(record),
    processesOf: async ({ row }) => models.filter(({ name }) => name === row.name).map(({ pid }) => pid),
    nowMs: () => clock.nowMs,
    later: (work) => void looks.push(work),
  });

  const residents: Resident[] = models.map((model) => ({
    name: model.name,
    mayRest: () => record(model).cards.length > 0 && !model.neverRests,
    idleSinceMs: () => (isReady(model) && model.calls === 0 && !model.neverRests ? model.usedMs : null),
    readySinceMs: () => (isReady(model) ? model.readyMs : null),
    yieldGpus: () => void (model.way ??= Promise.withResolvers()),
    resume() {
      model.way?.resolve(undefined);
      model.way = null;
    },
    async rest() {
      if (!isReady(model) || model.calls > 0) return false;
      stopped.push({ model, cards: record(model).cards });
      scheduler.keep(record(model));
      note(model, { state: 'scaledToZero' });
      await Promise.resolve();
      scheduler.release(model.name);
      return true;
    },
  }));

  function knownOf(model: Model, uuid: string): number | null {
    const { gpu_memory_mib: declared, measured_gpu_memory_mib: measured } = record(model).row;
    return record(model).measured[uuid] ?? declared ?? measured;
  }

  /** Known load: running and starting functions, the last measured use by other programs, and the stated need. */
  function loadOf(uuid: string, model: Model): number {
    const starting = [...begun].filter(([other, uuids]) => other !== model && uuids.includes(uuid));
    // A function of unknown size needs its GPU alone.
    if (starting.some(([other]) => knownOf(other, uuid) === null)) return Infinity;
    const begins = starting.reduce((sum, [other]) => sum + (knownOf(other, uuid) ?? 0) * other.workers, 0);
    return takenOf(uuid) + begins + told.get(uuid)! + (knownOf(model, uuid) ?? 0) * model.workers;
  }

  function requireGood(model: Model, chosen: readonly string[]): void {
    for (const uuid of chosen) {
      expect(loadOf(uuid, model)).toBeLessThanOrEqual(usableMiB(cards.find((one) => one.uuid === uuid)!));
    }
    // If one of them had stayed, the GPUs would not have been enough.
    for (const other of stopped) {
      const shared = chosen.filter((uuid) => other.cards.includes(uuid));
      const isOver = (uuid: string) =>
        loadOf(uuid, model) + other.model.whole > usableMiB(cards.find((one) => one.uuid === uuid)!) - 1;
      expect(shared.some(isOver)).toBe(true);
    }
    stopped = [];
  }

  async function begin(model: Model): Promise<void> {
    const { cards: chosen } = await scheduler.place(cardNeedOf(record(model)), () => residents);
    const uuids = Array.isArray(chosen) ? chosen.map(String) : [];
    requireGood(model, uuids);
    begun.set(model, uuids);
    await turns(4);
    note(model, { state: 'ready', cards: JSON.stringify(uuids) });
    model.readyMs = clock.nowMs;
    begun.delete(model);
    const measured = await scheduler.measure(model.name, uuids, [model.pid], model.workers);
    const all = { ...record(model).measured, ...measured };
    note(model, { measured_cards: JSON.stringify(all), measured_gpu_memory_mib: Math.max(...Object.values(all)) });
    scheduler.release(model.name);
  }

  async function call(model: Model): Promise<void> {
    while (model.way !== null) await model.way.promise;
    model.calls += 1;
    try {
      if (isReady(model)) return;
      model.start ??= begin(model).finally(() => (model.start = null));
      await model.start;
    } catch (error) {
      model.calls -= 1;
      throw error;
    }
  }

  return {
    cards,
    models,
    foreign,
    clock,
    refused,
    waiting,
    isReady,
    line: () =>
      models
        .flatMap(({ name }) => ({ name, place: scheduler.waiting(name)?.position }))
        .filter(({ place }) => place !== undefined)
        .toSorted((a, b) => Number(a.place) - Number(b.place))
        .map(({ name }) => name),
    call(model: Model): symbol {
      const id = Symbol(model.name);
      waiting.add(id);
      call(model)
        .catch((error: unknown) => refused.push(error instanceof Error ? error.message : String(error)))
        .finally(() => waiting.delete(id));
      return id;
    },
    finish(model: Model, count = 1): void {
      if (!isReady(model) || model.start !== null) return;
      model.calls = Math.max(0, model.calls - count);
      model.usedMs = clock.nowMs;
      scheduler.news();
    },
    crash(model: Model): void {
      if (!isReady(model) || model.start !== null) return;
      model.calls = 0;
      note(model, { state: 'scaledToZero' });
      scheduler.news();
    },
    lookAgain(): void {
      for (const look of looks.splice(0)) look();
      scheduler.news();
    },
  };
}

const index = fc.nat({ max: 5 });
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('call' as const), index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), index }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('go on' as const), index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('others' as const), index, memoryMiB: fc.nat({ max: 9000 }) }) },
);
const model = fc.record({
  cards: fc.integer({ min: 1, max: 2 }),
  workers: fc.integer({ min: 1, max: 2 }),
  memoryMiB: fc.integer({ min: 500, max: 5000 }),
  isDeclared: fc.boolean(),
  neverRests: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});

test('no GPU is given more than it has, no stop is unnecessary, and every function gets a turn', async () => {
  const sizes = fc.array(fc.integer({ min: 4000, max: 12_000 }), { minLength: 1, maxLength: 3 });
  const property = fc.asyncProperty(
    sizes,
    fc.array(model, { minLength: 2, maxLength: 6 }),
    fc.array(action, { maxLength: 40 }),
    async (cardSizes, specs, actions) => {
      const world = createWorld(cardSizes, specs);
      for (const step of actions) {
        const one = world.models[step.index % world.models.length]!;
        const card = world.cards[step.index % world.cards.length]!;
        if (step.do === 'call') world.call(one);
        if (step.do === 'finish') world.finish(one);
        if (step.do === 'crash') world.crash(one);
        if (step.do === 'others') world.foreign.set(card.uuid, Math.min(step.memoryMiB, card.memoryMiB));
        if (step.do === 'wait') world.clock.nowMs += 20_000;
        if (step.do === 'wait' || step.do === 'others') world.lookAgain();
        await turns(step.do === 'go on' ? 14 : 1);
      }
      // Other programs end. Running functions get constant calls, and every waiting function still gets a GPU.
      for (const { uuid } of world.cards) world.foreign.set(uuid, 0);
      const late = [...world.waiting];
      for (let round = 0; round < 4 * world.models.length + 4; round += 1) {
        world.clock.nowMs += 60_000;
        for (const one of world.models.filter(world.isReady)) {
          const before = one.calls;
          world.call(one);
          await turns();
          world.finish(one, before);
        }
        world.lookAgain();
        await turns();
      }
      expect(late.filter((id) => world.waiting.has(id))).toEqual([]);
      // Only requests that waiting cannot satisfy are refused.
      for (const message of world.refused) expect(message).toMatch(/ needs .* memory| needs \d GPUs?/);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});

const declared = (memoryMiB: number): FunctionSpec => ({
  cards: 1,
  workers: 1,
  memoryMiB,
  isDeclared: true,
  neverRests: false,
});

test('a smaller function never overtakes one that waits for a GPU, and uses another GPU', async () => {
  const world = createWorld([10_000], [6000, 8000, 2000].map(declared));
  const [first, large, small] = world.models;
  world.call(first!);
  await turns(40);
  world.call(large!);
  await turns(40);
  world.call(small!);
  await turns(40);
  expect(world.models.map(world.isReady)).toEqual([true, false, false]);
  expect(world.line()).toEqual(['f1', 'f2']);
  world.finish(first!);
  await turns(40);
  expect(world.models.map(world.isReady)).toEqual([false, true, false]);
  world.clock.nowMs += 60_000;
  world.finish(large!);
  await turns(40);
  expect(world.models.map(world.isReady)).toEqual([false, false, true]);
  expect(world.line()).toEqual([]);

  const beside = createWorld([10_000, 4000], [6000, 8000, 2000].map(declared));
  for (const one of beside.models) {
    beside.call(one);
    await turns(40);
  }
  expect(beside.models.map(beside.isReady)).toEqual([true, false, true]);
});

test('a function with constant calls keeps its GPU for 30 s before another one gets it', async () => {
  const world = createWorld([10_000], [6000, 8000].map(declared));
  const [busy, waiting] = world.models;
  world.call(busy!);
  await turns(40);
  world.call(waiting!);
  await turns(40);
  world.clock.nowMs += 29_000;
  world.call(busy!);
  world.finish(busy!);
  world.lookAgain();
  await turns(40);
  expect(world.models.map(world.isReady)).toEqual([true, false]);
  world.clock.nowMs += 1000;
  world.lookAgain();
  await turns(40);
  world.finish(busy!);
  await turns(40);
  expect(world.models.map(world.isReady)).toEqual([false, true]);
});

test('the current memory of functions is the sum of their processes on all their GPUs; nothing if it is unknown', async () => {
  const spec = { runtime: 'python', handler: 'main:handler' };
  const running = (name: string, cards: readonly string[]): FunctionRecord => {
    const document = JSON.stringify({ metadata: { name }, spec });
    const row = { ...newFunction(name, 'default', '2026-01-01T00:00:00.000Z'), id: 1, document };
    return readRecord({ ...row, state: 'ready', cards: JSON.stringify(cards) }, box);
  };
  const ids: Readonly<Record<string, readonly number[] | null>> = { pair: [11, 12], elsewhere: null };
  let said = 'GPU-0, 11, 300\nGPU-1, 12, 500\nGPU-2, 12, 9\nGPU-0, 99, 4000\nGPU-1, 13, [N/A]';
  const scheduler = createGpuScheduler({
    run: async () => said,
    records: () => [running('pair', ['GPU-0', 'GPU-1']), running('elsewhere', ['GPU-0']), running('without', [])],
    processesOf: async ({ row }) => ids[row.name] ?? null,
  });
  expect(await scheduler.heldNow()).toEqual(new Map([['pair', 800]]));
  said = '';
  expect(await scheduler.heldNow()).toEqual(new Map());
});
