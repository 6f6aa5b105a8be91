import { isDrawn, type EditableScene } from './scene.ts';
import type { ClientId, Selection } from './types.ts';

/** Ids without a record in the scene are not taken, and leave the selection when their record goes. */
export function createSelection(scene: EditableScene): Selection {
  const listeners = new Set<(ids: readonly ClientId[]) => void>();
  let current: readonly ClientId[] = [];
  let members = new Set<ClientId>();

  const assign = (ids: readonly ClientId[]): void => {
    const next = [...new Set(ids)].filter((id) => scene.get(id) !== undefined);
    if (next.length === current.length && next.every((id, index) => id === current[index])) return;
    current = next;
    members = new Set(next);
    for (const listener of listeners) listener(current);
  };

  scene.subscribe((change) => {
    if (change.reset || change.removed.some((id) => members.has(id))) assign(current);
  });

  return {
    ids: () => current,
    has: (id) => members.has(id),
    set: assign,
    add: (ids) => assign([...current.filter((id) => !ids.includes(id)), ...ids]),
    toggle: (id) => assign(members.has(id) ? current.filter((other) => other !== id) : [...current, id]),
    clear: () => assign([]),
    all() {
      assign(scene.all().flatMap((record) => (isDrawn(record) && !record.locked ? [record.clientId] : [])));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
