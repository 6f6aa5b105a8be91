import type { Scene } from '../../../canvas/scene.ts';
import type { ClientId, SceneRecord } from '../../../canvas/types.ts';
import { isUnnamed } from './unnamed-shapes.ts';

/** Annotations of one label on the frame, as far as the filter lets them through. */
export interface LabelTotal {
  readonly count: number;
  /** How many of them are not hidden. */
  readonly shown: number;
}

const none: LabelTotal = { count: 0, shown: 0 };

const counts = (record: SceneRecord): boolean =>
  record.suggestion !== true && !isUnnamed(record) && record.filteredOut !== true;

/**
 * Kept up to date by what changes, not counted anew: an edit costs the objects that it edits, however many there are.
 * Counting begins with the first listener and ends with the last.
 */
export function createLabelTotals(scene: Pick<Scene, 'all' | 'get' | 'subscribe'>) {
  /** What was added up for each object: records are not changed but replaced. */
  const counted = new Map<ClientId, SceneRecord>();
  const totals = new Map<number, LabelTotal>();
  const listeners = new Set<() => void>();
  let stop: (() => void) | null = null;

  function add(record: SceneRecord, by: 1 | -1): void {
    const { count, shown } = totals.get(record.labelId) ?? none;
    const total = { count: count + by, shown: record.hidden ? shown : shown + by };
    if (total.count === 0) totals.delete(record.labelId);
    else totals.set(record.labelId, total);
  }
  function put(id: ClientId, record: SceneRecord | undefined): void {
    const was = counted.get(id);
    const is = record !== undefined && counts(record) ? record : undefined;
    // A total that stays the same stays the same object: nothing is drawn anew for it.
    if (was !== undefined && is !== undefined && was.labelId === is.labelId && was.hidden === is.hidden) return;
    if (was !== undefined) add(was, -1);
    counted.delete(id);
    if (is === undefined) return;
    counted.set(id, is);
    add(is, 1);
  }
  function countAll(): void {
    counted.clear();
    totals.clear();
    for (const record of scene.all()) put(record.clientId, record);
  }
  function start(): void {
    countAll();
    stop = scene.subscribe(({ reset, added, changed, removed }) => {
      if (reset) countAll();
      else for (const ids of [added, changed, removed]) for (const id of ids) put(id, scene.get(id));
      for (const listener of listeners) listener();
    });
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      if (stop === null) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
      };
    },
    /** Of one label; the same object as long as nothing of it changes. */
    of: (labelId: number): LabelTotal => totals.get(labelId) ?? none,
    /** Of all labels together. */
    count: (): number => counted.size,
  };
}
