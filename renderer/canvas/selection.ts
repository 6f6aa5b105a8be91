import { createListeners } from './emitter.ts';
import { isDrawn, type EditableScene } from './scene.ts';
import type { Tracks } from './tracks/track-set.ts';
import type { ClientId, SceneRecord } from './types.ts';

const canBePicked = (record: SceneRecord): boolean => isDrawn(record) && !record.locked;

/**
 * Ignores ids without a record, and drops ids whose record is deleted. A track stays selected on frames where it is
 * outside. Optionally extends the selection to complete groups.
 */
export function createSelection(scene: EditableScene, tracks: Tracks) {
  const listeners = createListeners<[ids: readonly ClientId[]]>();
  let current: readonly ClientId[] = [];
  let members = new Set<ClientId>();
  let wholeGroups = false;

  /** Other members of the groups come first, so that the primary object stays last. */
  const withGroups = (ids: readonly ClientId[]): readonly ClientId[] => {
    const groups = new Set(ids.flatMap((id) => scene.get(id)?.group || []));
    if (!wholeGroups || groups.size === 0) return ids;
    const given = new Set(ids);
    const isMate = (record: SceneRecord): boolean =>
      groups.has(record.group) && canBePicked(record) && !given.has(record.clientId);
    return [...idsOf(isMate), ...ids];
  };
  const idsOf = (isWanted: (record: SceneRecord) => boolean): ClientId[] =>
    scene.all().flatMap((record) => (isWanted(record) ? [record.clientId] : []));
  /** Invisible objects must not be deleted or moved with the rest. */
  const isFilteredOut = (id: ClientId): boolean => scene.get(id)?.filteredOut === true;
  const assign = (ids: readonly ClientId[]): void => {
    const next = [...new Set(withGroups(ids))].filter(
      (id) => !isFilteredOut(id) && (scene.get(id) !== undefined || tracks.get(id) !== undefined),
    );
    if (next.length === current.length && next.every((id, index) => id === current[index])) return;
    current = next;
    members = new Set(next);
    listeners.tell(current);
  };

  scene.subscribe((change) => {
    const isConcerned =
      change.reset ||
      change.removed.some((id) => members.has(id)) ||
      change.changed.some((id) => members.has(id) && isFilteredOut(id));
    if (isConcerned) assign(current);
  });

  return {
    /** The same array until the selection changes. The last id is the primary object. */
    ids: () => current,
    has: (id: ClientId) => members.has(id),
    set: assign,
    toggle(id: ClientId) {
      const group = scene.get(id)?.group ?? 0;
      const goes = (other: ClientId): boolean =>
        other === id || (wholeGroups && group !== 0 && scene.get(other)?.group === group);
      assign(members.has(id) ? current.filter((other) => !goes(other)) : [...current, id]);
    },
    clear: () => assign([]),
    all: () => assign(idsOf(canBePicked)),
    invert: () => assign(idsOf((record) => canBePicked(record) && !members.has(record.clientId))),
    sameLabel() {
      const labels = new Set(current.flatMap((id) => scene.get(id)?.labelId ?? []));
      assign([
        ...idsOf((record) => canBePicked(record) && labels.has(record.labelId) && !members.has(record.clientId)),
        ...current,
      ]);
    },
    /** True if selecting an object selects its group. */
    wholeGroups: () => wholeGroups,
    setWholeGroups(on: boolean) {
      wholeGroups = on;
      assign(current);
    },
    subscribe: listeners.subscribe,
  };
}

export type Selection = ReturnType<typeof createSelection>;
