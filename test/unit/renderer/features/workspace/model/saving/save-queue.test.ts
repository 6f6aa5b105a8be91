import { describe, expect, it } from 'vitest';
import { shapeSchema } from '../../../../../../../preload/contract/schema/annotations.ts';
import { createSaveQueue } from '../../../../../../../renderer/features/workspace/model/saving/save-queue.ts';
import {
  SaveError,
  type Edit,
  type SaveBatch,
  type SavedIds,
  type SaveFailure,
  type ShapeBody,
  type UnsavedEdits,
} from '../../../../../../../renderer/features/workspace/model/saving/save-types.ts';

const body = (x: number): ShapeBody =>
  shapeSchema.parse({ type: 'rectangle', frame: 0, label_id: 1, points: [x, 0, x + 5, 5] });
const edit = (localId: string, x: number | null): Edit => ({
  localId,
  collection: 'shapes',
  body: body(x ?? 0),
  deleted: x === null,
});
const failure = (kind: SaveFailure['kind'], stopped = false): SaveError =>
  new SaveError({ kind, message: `It was ${kind}.`, stopped });

/** A service that stores objects, remembers keys, and can fail before or after its work. */
function service() {
  const objects = new Map<number, ShapeBody>();
  const answers = new Map<string, SavedIds>();
  const calls: string[] = [];
  const failBefore: SaveError[] = [];
  const failAfter: SaveError[] = [];
  let refuse: (edit: Edit) => boolean = () => false;
  let nextId = 100;
  let inFlight = 0;
  const work = (batch: SaveBatch): SavedIds => {
    const known = answers.get(batch.key);
    if (known !== undefined) return known;
    if (batch.edits.some((item) => refuse(item))) throw failure('refused');
    const ids = batch.edits.map((item) => {
      const id = batch.action === 'create' ? nextId++ : (item.serverId ?? -1);
      if (batch.action !== 'create' && !objects.has(id)) throw failure('refused');
      if (batch.action === 'delete') objects.delete(id);
      else if (item.collection === 'shapes') objects.set(id, item.body);
      return id;
    });
    const answer = { shapes: ids, tags: [], tracks: [] };
    answers.set(batch.key, answer);
    return answer;
  };
  return {
    objects,
    calls,
    failBefore,
    failAfter,
    refuseWhen: (rule: (edit: Edit) => boolean) => {
      refuse = rule;
    },
    async send(batch: SaveBatch): Promise<SavedIds> {
      inFlight += 1;
      expect(inFlight).toBe(1);
      await Promise.resolve();
      calls.push(`${batch.action} ${batch.edits.map((item) => item.localId).join(' ')}`);
      try {
        const before = failBefore.shift();
        if (before !== undefined) throw before;
        const answer = work(batch);
        const after = failAfter.shift();
        if (after !== undefined) throw after;
        return answer;
      } finally {
        inFlight -= 1;
      }
    },
    readNow: () => Promise.reject(failure('server')),
  };
}

function timers() {
  const tasks: { task: () => void; delayMs: number }[] = [];
  const delaysMs: number[] = [];
  return {
    delaysMs,
    later(task: () => void, delayMs: number): () => void {
      const item = { task, delayMs };
      tasks.push(item);
      delaysMs.push(delayMs);
      return () => {
        const index = tasks.indexOf(item);
        if (index >= 0) tasks.splice(index, 1);
      };
    },
    async step(): Promise<boolean> {
      const item = tasks.shift();
      item?.task();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return item !== undefined;
    },
    async run(steps = 100): Promise<void> {
      for (let count = 0; count < steps; count += 1) if (!(await this.step())) return;
    },
  };
}

function build(backend = service()) {
  const clock = timers();
  let journal: UnsavedEdits = { batches: [], pending: [], refused: [] };
  let keys = 0;
  const queue = createSaveQueue({
    transport: backend,
    journal: { write: (edits) => void (journal = structuredClone(edits)) },
    newKey: () => `key-${Math.random()}-${keys++}`,
    later: clock.later,
  });
  return { queue, clock, backend, journal: () => journal };
}

const xs = (backend: ReturnType<typeof service>): number[] =>
  [...backend.objects.values()].map((item) => item.points[0] ?? -1);

describe('save queue', () => {
  it('sends edits of one moment in one request and gives objects the ids of the answer', async () => {
    const { queue, clock, backend } = build();
    queue.push([edit('a', 1), edit('b', 2)]);
    queue.push([edit('c', 3)]);
    expect(queue.status()).toMatchObject({ state: 'saving', unsaved: 3 });
    await clock.run();
    expect(backend.calls).toEqual(['create a b c']);
    expect(queue.serverIdOf('b')).toBe(101);
    expect(queue.status()).toMatchObject({ state: 'saved', unsaved: 0, failure: null });
  });

  it('keeps the order across actions', async () => {
    const { queue, clock, backend } = build();
    queue.push([edit('a', 1), edit('b', 2)]);
    await clock.run();
    queue.push([edit('c', 3), edit('a', 9), edit('b', null), edit('d', 4)]);
    await clock.run();
    expect(backend.calls.slice(1)).toEqual(['create c', 'update a', 'delete b', 'create d']);
    expect(xs(backend)).toEqual([9, 3, 4]);
  });

  it('sends an object that changed several times once, with its latest state', async () => {
    const { queue, clock, backend } = build();
    queue.push([edit('a', 1)]);
    queue.push([edit('a', 2)]);
    queue.push([edit('a', 3)]);
    queue.push([edit('gone', 1)]);
    queue.push([edit('gone', null)]);
    await clock.run();
    expect(backend.calls).toEqual(['create a']);
    expect(xs(backend)).toEqual([3]);
  });

  it('converts an edit during the creation to an update of the same object', async () => {
    const { queue, clock, backend } = build();
    queue.push([edit('a', 1)]);
    const stepping = clock.step();
    queue.push([edit('a', 7)]);
    await stepping;
    await clock.run();
    expect(backend.calls).toEqual(['create a', 'update a']);
    expect(xs(backend)).toEqual([7]);
  });

  it('has one running request at a time, during any edits', async () => {
    const clock = timers();
    const answers: (() => void)[] = [];
    const transport = {
      readNow: () => Promise.reject(failure('server')),
      send: (batch: SaveBatch) =>
        new Promise<SavedIds>((resolve) => {
          answers.push(() =>
            resolve({ shapes: batch.edits.map((_, index) => answers.length * 10 + index), tags: [], tracks: [] }),
          );
        }),
    };
    const queue = createSaveQueue({ transport, journal: { write() {} }, newKey: () => 'key', later: clock.later });
    queue.push([edit('a', 1)]);
    await clock.run();
    queue.push([edit('b', 2)]);
    queue.retry();
    void queue.whenSaved();
    await clock.run();
    expect(answers.length).toBe(1);
    answers[0]?.();
    await clock.step();
    await clock.run();
    expect(answers.length).toBe(2);
  });

  it('deletes an object that was deleted during its creation', async () => {
    const { queue, clock, backend } = build();
    queue.push([edit('a', 1)]);
    const stepping = clock.step();
    queue.push([edit('a', null)]);
    await stepping;
    await clock.run();
    expect(backend.calls).toEqual(['create a', 'delete a']);
    expect(backend.objects.size).toBe(0);
  });

  it('creates an object again when its deletion is undone after it was saved', async () => {
    const { queue, clock, backend } = build();
    queue.push([edit('a', 1)]);
    await clock.run();
    queue.push([edit('a', null)]);
    await clock.run();
    queue.push([edit('a', 1)]);
    await clock.run();
    expect(backend.calls).toEqual(['create a', 'delete a', 'create a']);
    expect(queue.serverIdOf('a')).toBe(101);
    expect(backend.objects.size).toBe(1);
  });

  it('sends again with the same key after a lost answer, so that nothing is duplicated', async () => {
    const { queue, clock, backend } = build();
    backend.failAfter.push(failure('unreachable'), failure('unreachable'));
    queue.push([edit('a', 1), edit('b', 2)]);
    await clock.step();
    expect(queue.status()).toMatchObject({ state: 'failed', unsaved: 2, failure: { kind: 'unreachable' } });
    await clock.run();
    expect(backend.calls).toHaveLength(3);
    expect(backend.objects.size).toBe(2);
    expect(queue.status().state).toBe('saved');
  });

  it('waits longer after each failure and keeps edits made during the wait', async () => {
    const { queue, clock, backend } = build();
    backend.failBefore.push(...Array.from({ length: 7 }, () => failure('disk-full')));
    queue.push([edit('a', 1)]);
    await clock.step();
    queue.push([edit('b', 2)]);
    await clock.run();
    expect(clock.delaysMs.slice(1, 8)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(xs(backend)).toEqual([1, 2]);
  });

  it('stops when the job is deleted, keeps everything, and continues on request', async () => {
    const { queue, clock, backend, journal } = build();
    backend.failBefore.push(failure('gone', true));
    queue.push([edit('a', 1)]);
    const saved = queue.whenSaved();
    const outcome = expect(saved).rejects.toMatchObject({ failure: { kind: 'gone' } });
    await clock.run();
    await outcome;
    expect(queue.status()).toMatchObject({ state: 'failed', unsaved: 1, failure: { kind: 'gone' } });
    expect(journal().batches[0]?.edits[0]?.localId).toBe('a');
    queue.retry();
    await clock.run();
    expect(queue.status().state).toBe('saved');
    expect(xs(backend)).toEqual([1]);
  });

  it('skips a refused object, saves the others, and retries it when it changes', async () => {
    const { queue, clock, backend, journal } = build();
    backend.refuseWhen((item) => item.collection === 'shapes' && item.body.points[0] === 13);
    queue.push([edit('a', 1), edit('b', 2), edit('bad', 13), edit('c', 3), edit('d', 4)]);
    await clock.run();
    expect(xs(backend).sort()).toEqual([1, 2, 3, 4]);
    expect(queue.status()).toMatchObject({ state: 'failed', refused: 1, unsaved: 1, failure: null });
    expect(journal().refused).toMatchObject([{ localId: 'bad', reason: 'It was refused.' }]);
    queue.push([edit('bad', 14)]);
    await clock.run();
    expect(queue.status().state).toBe('saved');
    expect(xs(backend).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 14]);
  });

  it('completes the journal of an earlier session without doing anything twice', async () => {
    const backend = service();
    const first = build(backend);
    first.queue.push([edit('a', 1)]);
    await first.clock.run();
    backend.failAfter.push(failure('unreachable'));
    first.queue.push([edit('b', 2)]);
    await first.clock.step();
    first.queue.push([edit('a', 5), edit('b', 6)]);
    first.queue.close();
    expect(backend.objects.size).toBe(2);

    const second = build(backend);
    second.queue.adopt(first.journal());
    expect(second.queue.unsaved().map((item) => item.localId)).toEqual(['b', 'a']);
    const saved = second.queue.whenSaved();
    await second.clock.run();
    await saved;
    expect(xs(backend)).toEqual([5, 6]);
    expect(second.journal()).toEqual({ batches: [], pending: [], refused: [] });
  });

  it('writes every edit to the journal before it is sent and deletes it after the answer', async () => {
    const { queue, clock, journal } = build();
    queue.push([edit('a', 1)]);
    expect(journal().pending.map((item) => item.localId)).toEqual(['a']);
    await clock.run();
    expect(journal()).toEqual({ batches: [], pending: [], refused: [] });
  });

  it('ends with the local state after many random edits with lost answers', async () => {
    const { queue, clock, backend } = build();
    const local = new Map<string, number>();
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let count = 0; count < 400; count += 1) {
      const id = `o${random(12)}`;
      const x = random(3) === 0 ? null : random(1000);
      if (x === null) local.delete(id);
      else local.set(id, x);
      queue.push([edit(id, x)]);
      if (random(4) === 0) (random(2) === 0 ? backend.failAfter : backend.failBefore).push(failure('unreachable'));
      if (random(3) === 0) await clock.step();
    }
    await clock.run(2000);
    expect(queue.status().state).toBe('saved');
    expect(xs(backend).sort((a, b) => a - b)).toEqual([...local.values()].sort((a, b) => a - b));
  });
});
