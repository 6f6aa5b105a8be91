import { createListeners } from './emitter.ts';
import type { ClientId, SceneChange, SceneRecord, ShapeRecord } from './types.ts';

export const isDrawn = (record: SceneRecord | undefined): record is ShapeRecord =>
  record !== undefined && record.kind === 'shape' && !record.hidden && !record.outside && record.filteredOut !== true;

/** Sorts all records again if more change at once. */
const mostMoved = 64;

type Passes = (record: SceneRecord) => boolean;

const marked = (record: SceneRecord, filteredOut: boolean): SceneRecord =>
  (record.filteredOut ?? false) === filteredOut ? record : { ...record, filteredOut };

/** Records of the displayed frame: the source of truth for all drawing. */
export function createScene() {
  const records = new Map<ClientId, SceneRecord>();
  const sequences = new Map<ClientId, number>();
  const serverIds = new Map<ClientId, number>();
  const listeners = createListeners<[change: SceneChange]>();
  let sorted: readonly SceneRecord[] | null = null;
  let version = 0;
  let frame = 0;
  let passes: Passes | null = null;
  let nextSequence = 0;

  const notify = (change: SceneChange, order: readonly SceneRecord[] | null = null): void => {
    version += 1;
    sorted = order;
    listeners.tell(change);
  };
  /** A record from the history may lack the server id that it got later. */
  const withServerId = (record: SceneRecord): SceneRecord => {
    if (record.serverId !== undefined) return record;
    const known = serverIds.get(record.clientId);
    return known === undefined ? record : { ...record, serverId: known };
  };
  /** Edited objects stay visible until the frame or the filter changes. */
  const isFilteredOut = (record: SceneRecord, isEdit: boolean): boolean => {
    if (passes === null) return false;
    const isInSight = isEdit && records.get(record.clientId)?.filteredOut !== true;
    return !isInSight && !passes(record);
  };
  const put = (given: SceneRecord, isEdit: boolean): void => {
    if (given.serverId !== undefined) serverIds.set(given.clientId, given.serverId);
    const record = marked(withServerId(given), isFilteredOut(given, isEdit));
    records.set(record.clientId, record);
    if (!sequences.has(record.clientId)) sequences.set(record.clientId, nextSequence++);
  };
  const sortKey = (record: SceneRecord): number => (record.kind === 'shape' ? record.zOrder : -Infinity);
  const sequence = (id: ClientId): number => sequences.get(id) ?? 0;
  const inOrder = (a: SceneRecord, b: SceneRecord): number =>
    sortKey(a) === sortKey(b) ? sequence(a.clientId) - sequence(b.clientId) : sortKey(a) - sortKey(b);
  const placeOf = (among: readonly SceneRecord[], record: SceneRecord): number => {
    let [low, high] = [0, among.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = among[middle];
      if (other !== undefined && inOrder(other, record) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    /** Increases with every change; a snapshot value for `useSyncExternalStore`. */
    get version(): number {
      return version;
    },
    get frame(): number {
      return frame;
    },
    get size(): number {
      return records.size;
    },
    get: (id: ClientId) => records.get(id),
    getShape(id: ClientId): ShapeRecord | undefined {
      const record = records.get(id);
      return record?.kind === 'shape' ? record : undefined;
    },
    /** In drawing order: z order, then the order of creation. The same array until the next change. */
    all(): readonly SceneRecord[] {
      sorted ??= [...records.values()].sort(inOrder);
      return sorted;
    },
    subscribe: listeners.subscribe,
    /** Creation order, which decides among equal z orders. */
    sequence,
    /** Null shows everything. */
    setFilter(given: Passes | null) {
      passes = given;
      const changed: ClientId[] = [];
      for (const [id, record] of records) {
        const next = marked(record, isFilteredOut(record, false));
        if (next === record) continue;
        records.set(id, next);
        changed.push(id);
      }
      if (changed.length > 0) notify({ reset: false, added: [], changed, removed: [] });
    },
    reset(given: readonly SceneRecord[], newFrame: number) {
      records.clear();
      sequences.clear();
      frame = newFrame;
      for (const record of given) if (record.frame === newFrame) put(record, false);
      notify({ reset: true, added: [], changed: [], removed: [] });
    },
    apply(upsert: readonly SceneRecord[], remove: readonly ClientId[]) {
      const added: ClientId[] = [];
      const changed: ClientId[] = [];
      // Moves a few records within the order, because sorting 50,000 takes an animation frame.
      const order = sorted !== null && upsert.length + remove.length <= mostMoved ? [...sorted] : null;
      const takeOut = (id: ClientId): void => {
        const record = records.get(id);
        if (record !== undefined) order?.splice(placeOf(order, record), 1);
      };
      for (const given of upsert) {
        if (given.frame !== frame) continue;
        const id = given.clientId;
        (records.has(id) ? changed : added).push(id);
        takeOut(id);
        put(given, true);
        const record = records.get(id);
        if (record !== undefined) order?.splice(placeOf(order, record), 0, record);
      }
      const removed = remove.filter((id) => {
        takeOut(id);
        return records.delete(id);
      });
      if (added.length + changed.length + removed.length === 0) return;
      notify({ reset: false, added, changed, removed }, order);
    },
  };
}

export type EditableScene = ReturnType<typeof createScene>;
/** The part of the scene that is visible outside the canvas. */
export type Scene = Omit<EditableScene, 'reset' | 'apply' | 'setFilter' | 'sequence'>;
