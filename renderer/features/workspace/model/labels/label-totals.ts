import type { Scene } from '../../../../canvas/scene.ts';
import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';
import { isUnnamed } from './unnamed-shapes.ts';

export interface LabelTotal {
  readonly count: number;
  readonly shown: number;
}

const none: LabelTotal = { count: 0, shown: 0 };

const counts = (record: SceneRecord): boolean =>
  record.suggestion !== true && !isUnnamed(record) && record.filteredOut !== true;

/** Updated incrementally: an edit costs only the edited objects. Active only while there are listeners. */
export function createLabelTotals(scene: Pick<Scene, 'all' | 'get' | 'subscribe'>) {
  /** The counted record of each object. Records are immutable. */
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
    // An unchanged total keeps its identity, so that nothing renders.
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
    /** Total of a label; the same object until it changes. */
    of: (labelId: number): LabelTotal => totals.get(labelId) ?? none,
    count: (): number => counted.size,
  };
}
