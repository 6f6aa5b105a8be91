import { describe, expect, it } from 'vitest';
import { labeledDataSchema, type LabeledDataInput } from '../../../../../../preload/contract/schema/annotations.ts';
import type { TrackPiece } from '../../../../../../preload/geometry/track-pieces.ts';
import type { Command, RecordChange, SceneRecord, TrackRecord } from '../../../../../../renderer/canvas/types.ts';
import {
  createRecordStore,
  type RecordStore,
} from '../../../../../../renderer/features/workspace/model/record-store.ts';
import type { Edit } from '../../../../../../renderer/features/workspace/model/saving/save-types.ts';

function build(frames: Record<number, LabeledDataInput>, unsaved: Edit[] = [], tracks: readonly TrackPiece[] = []) {
  const shown: (readonly TrackRecord[])[] = [];
  const pushed: Edit[] = [];
  const known = new Map<string, number>();
  const loads: (number | readonly [number, number])[] = [];
  const store = createRecordStore({
    load: (first, last) => {
      loads.push(...(first === last ? [first] : [[first, last] as const]));
      const found = Object.entries(frames).filter(([frame]) => Number(frame) >= first && Number(frame) <= last);
      const all = (collection: 'shapes' | 'tags') => found.flatMap(([, data]) => data[collection] ?? []);
      return Promise.resolve(labeledDataSchema.parse({ shapes: all('shapes'), tags: all('tags') }));
    },
    loadTracks: () => Promise.resolve(tracks),
    onTracks: (records) => void shown.push(records),
    tracksNow: () => shown.at(-1) ?? [],
    queue: {
      know: (localId, id) => void known.set(localId, id),
      serverIdOf: (localId) => known.get(localId),
      push: (edits) => void pushed.push(...edits),
      unsaved: () => unsaved,
      uncertain: () => [],
      onSaved: () => () => undefined,
      subscribe: () => () => undefined,
    },
  });
  return { store, pushed, known, loads, shown };
}

/** Differences on the shown frame after another user changed the given frames. */
async function takenIn(store: RecordStore, frames: readonly number[] | null, shown: number): Promise<RecordChange[]> {
  const all: RecordChange[] = [];
  await store.takeIn({ frames, tracks: false }, shown, (changes) => void all.push(...changes));
  return all;
}

const box = (id: number, x = 0) => ({
  id,
  type: 'rectangle' as const,
  frame: 0,
  label_id: 1,
  points: [x, 0, x + 1, 1],
});

const command = (changes: Command['changes']): Command => ({ id: 'c', kind: 'move', frame: 0, label: '', changes });
const movedTo = (record: SceneRecord | undefined, x: number): SceneRecord => {
  if (record?.kind !== 'shape') throw new Error('A shape is expected.');
  return { ...record, points: [x, 0, x + 1, 1] };
};

describe('records of all frames', () => {
  it("are requested in batches ahead of the user's steps, larger the emptier they are", async () => {
    const { store, loads } = build({ 3: { shapes: [{ ...box(4), frame: 3 }] } });
    await store.open(0);
    const seen: number[] = [];
    for (let frame = 0; frame <= 40; frame += 1) {
      seen.push((await store.open(frame)).length);
      store.prefetch(frame, 1, 0, 100);
      for (let near = frame; near <= frame + 2; near += 1) await store.open(near);
      expect(store.ready(frame + 1)).toBeDefined();
    }
    expect(seen.filter((count) => count > 0)).toEqual([1]);
    expect(loads.length).toBeLessThan(8);
    expect(loads.slice(0, 3)).toEqual([0, [1, 4], [5, 12]]);
  });

  it('are requested within the job, backwards too, and no frame twice', async () => {
    const { store, loads } = build({});
    await store.open(10);
    store.prefetch(10, -1, 8, 11);
    store.prefetch(10, -1, 8, 11);
    await store.open(9);
    expect(loads).toEqual([10, [8, 9], 11]);
  });

  it('loads a frame once and reports existing objects to the queue', async () => {
    const { store, known, loads } = build({ 0: { shapes: [box(4)], tags: [{ id: 4, frame: 0, label_id: 1 }] } });
    const records = await store.open(0);
    await store.open(0);
    expect(loads).toEqual([0]);
    expect(new Set(records.map((record) => record.clientId)).size).toBe(2);
    expect([...known.values()]).toEqual([4, 4]);
  });

  it('stores a command for the frame and forwards it', async () => {
    const { store, pushed } = build({ 0: { shapes: [box(4)] } });
    const [record] = await store.open(0);
    const after = movedTo(record, 50);
    store.apply(command([{ clientId: after.clientId, before: record ?? null, after }]));
    expect(pushed).toMatchObject([{ localId: after.clientId, deleted: false, body: { points: [50, 0, 51, 1] } }]);
    expect(await store.open(0)).toEqual([after]);
    store.apply(command([{ clientId: after.clientId, before: after, after: null }]));
    expect(await store.open(0)).toEqual([]);
    expect(pushed.at(-1)).toMatchObject({ deleted: true });
  });

  it("shows unsent edits over the service's data", async () => {
    const first = build({ 0: { shapes: [box(4), box(5)] } });
    const [a, b] = await first.store.open(0);
    const moved = movedTo(a, 9);
    first.store.apply(command([{ clientId: moved.clientId, before: a ?? null, after: moved }]));
    first.store.apply(command([{ clientId: b?.clientId ?? '', before: b ?? null, after: null }]));
    const created = { ...movedTo(a, 30), clientId: 'fresh' };
    first.store.apply(command([{ clientId: 'fresh', before: null, after: created }]));
    const unsaved = first.pushed.map((edit) => ({
      ...edit,
      ...(edit.localId === 'fresh' ? {} : { serverId: edit.localId === moved.clientId ? 4 : 5 }),
    }));

    const second = build({ 0: { shapes: [box(4), box(5)] } }, unsaved);
    const records = await second.store.open(0);
    expect(records.map((record) => (record.kind === 'shape' ? record.points[0] : null))).toEqual([9, 30]);
  });

  it('clears its data when annotations were changed elsewhere', async () => {
    const { store, loads } = build({ 0: { shapes: [box(4)] } });
    await store.open(0);
    store.forget();
    await store.open(0);
    expect(loads).toEqual([0, 0]);
  });
});

describe('changes of others', () => {
  it('are merged where they differ; other records stay the same, with their hidden and locked states', async () => {
    const frames: Record<number, LabeledDataInput> = { 0: { shapes: [box(4), box(5), box(6)] } };
    const { store } = build(frames);
    const [first, second] = await store.open(0);
    const hidden = { ...movedTo(second, 0), hidden: true };
    store.apply(command([{ clientId: hidden.clientId, before: second ?? null, after: hidden }]));
    frames[0] = { shapes: [box(4), box(5, 70), box(7)] };
    const changes = await takenIn(store, [0], 0);
    expect(changes).toMatchObject([
      { clientId: hidden.clientId, after: { points: [70, 0, 71, 1], hidden: true } },
      { before: null, after: { serverId: 7 } },
      { before: { serverId: 6 }, after: null },
    ]);
    const now = await store.open(0);
    expect(now).toHaveLength(3);
    expect(now[0]).toBe(first);
  });

  it('are loaded again for frames that are not on screen, and requested nowhere else', async () => {
    const { store, loads } = build({ 0: { shapes: [box(4)] } });
    await store.open(0);
    await store.open(1);
    await takenIn(store, [0], 1);
    await takenIn(store, [9], 1);
    expect(loads).toEqual([0, 1]);
    await store.open(0);
    expect(loads).toEqual([0, 1, 0]);
  });

  it('never hide an unsaved edit, nor restore the state before one', async () => {
    const unsaved: Edit[] = [];
    const frames: Record<number, LabeledDataInput> = { 0: { shapes: [box(4)] } };
    const { store, loads, pushed } = build(frames, unsaved);
    const [record] = await store.open(0);
    const mine = movedTo(record, 50);
    store.apply(command([{ clientId: mine.clientId, before: record ?? null, after: mine }]));
    unsaved.push({ ...pushed[0]!, serverId: 4 });
    expect(await takenIn(store, null, 0)).toEqual([]);
    const takingIn = takenIn(store, null, 0);
    unsaved.pop();
    frames[0] = { shapes: [box(4, 50)] };
    expect(await takingIn).toEqual([]);
    expect(loads).toEqual([0, 0, 0, 0]);
  });
});
