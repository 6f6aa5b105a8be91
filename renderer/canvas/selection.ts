import { isDrawn, type EditableScene } from './scene.ts';
import type { Tracks } from './tracks/track-set.ts';
import type { ClientId } from './types.ts';

/**
 * Ids without a record in the scene are not taken, and leave the selection when their record goes. A track stays
 * selected on frames that do not show it.
 */
export function createSelection(scene: EditableScene, tracks: Tracks) {
  const listeners = new Set<(ids: readonly ClientId[]) => void>();
  let current: readonly ClientId[] = [];
  let members = new Set<ClientId>();

  const assign = (ids: readonly ClientId[]): void => {
    const next = [...new Set(ids)].filter((id) => scene.get(id) !== undefined || tracks.get(id) !== undefined);
    if (next.length === current.length && next.every((id, index) => id === current[index])) return;
    current = next;
    members = new Set(next);
    for (const listener of listeners) listener(current);
  };

  scene.subscribe((change) => {
    if (change.reset || change.removed.some((id) => members.has(id))) assign(current);
  });

  return {
    /** The same array until the selection changes. The last one is the primary one. */
    ids: () => current,
    has: (id: ClientId) => members.has(id),
    set: assign,
    toggle: (id: ClientId) => assign(members.has(id) ? current.filter((other) => other !== id) : [...current, id]),
    clear: () => assign([]),
    /** Every shape that can be seen and is not locked. */
    all: () => assign(scene.all().flatMap((record) => (isDrawn(record) && !record.locked ? [record.clientId] : []))),
    subscribe(listener: (ids: readonly ClientId[]) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Selection = ReturnType<typeof createSelection>;
