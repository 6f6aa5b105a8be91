import { createListeners } from '../../../../canvas/emitter.ts';
import type { ClientId, ObjectRecord, RecordChange, SceneRecord } from '../../../../canvas/types.ts';

/** Saves proposals beyond a reload of the page. */
export interface SavedSuggestions {
  read(): readonly SceneRecord[];
  write(records: readonly SceneRecord[]): void;
}

export const isSuggestion = (record: ObjectRecord | null | undefined): boolean => record?.suggestion === true;

export function createSuggestionStore(saved?: SavedSuggestions) {
  const frames = new Map<number, Map<ClientId, SceneRecord>>();
  const listeners = createListeners();
  /** Suggestions at the service on frames that were not loaded. */
  const offered = new Map<number, number>();
  const loaded = new Set<number>();
  /** Proposals that cannot be accepted as the frame is now. An undo of the user can bring them back. */
  const inapplicable = new Map<number, ReadonlySet<ClientId>>();
  let overview: readonly { readonly frame: number; readonly count: number }[] | null = null;

  const all = (): SceneRecord[] => [...frames.values()].flatMap((records) => [...records.values()]);
  const changed = (): void => {
    overview = null;
    saved?.write(all());
    listeners.tell();
  };
  const add = (record: SceneRecord): void => {
    const records = frames.get(record.frame) ?? new Map<ClientId, SceneRecord>();
    frames.set(record.frame, records.set(record.clientId, record));
  };
  const take = (frame: number, id: ClientId): boolean => {
    const records = frames.get(frame);
    const was = records?.delete(id) ?? false;
    if (records?.size === 0) frames.delete(frame);
    return was;
  };
  const applicableCount = (frame: number): number =>
    [...(frames.get(frame)?.keys() ?? [])].filter((id) => inapplicable.get(frame)?.has(id) !== true).length;
  for (const record of saved?.read() ?? []) add(record);

  return {
    of: (frame: number) => [...(frames.get(frame)?.values() ?? [])],
    put(records: readonly SceneRecord[]) {
      for (const record of records) add(record);
      if (records.length > 0) changed();
    },
    remove(frame: number, ids: readonly ClientId[]) {
      const removed = ids.filter((id) => take(frame, id));
      if (removed.length > 0) changed();
    },
    /** Applies an edit: keeps records that are still proposals and drops the others. */
    follow(changes: readonly RecordChange[]) {
      let touched = false;
      for (const { clientId, before, after } of changes) {
        if (before !== null && take(before.frame, clientId)) touched = true;
        if (after === null || after.kind === 'track' || !isSuggestion(after)) continue;
        add(after);
        touched = true;
      }
      if (touched) changed();
    },
    /** Takes the frames that have suggestions at the service; those of `frame` are put here by the caller. */
    setOffered(list: readonly { readonly frame: number; readonly count: number }[], frame: number) {
      loaded.add(frame);
      offered.clear();
      for (const one of list) if (!loaded.has(one.frame)) offered.set(one.frame, one.count);
      overview = null;
      listeners.tell();
    },
    setInapplicable(frame: number, ids: readonly ClientId[]) {
      const before = inapplicable.get(frame) ?? new Set();
      if (before.size === ids.length && ids.every((id) => before.has(id))) return;
      inapplicable.set(frame, new Set(ids));
      overview = null;
      listeners.tell();
    },
    /** Frames with open proposals, ascending. The same array until the next change. */
    frames(): readonly { readonly frame: number; readonly count: number }[] {
      overview ??= [...new Set([...frames.keys(), ...offered.keys()])]
        .map((frame) => ({ frame, count: applicableCount(frame) + (offered.get(frame) ?? 0) }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => a.frame - b.frame);
      return overview;
    },
    subscribe: listeners.subscribe,
  };
}

export type SuggestionStore = ReturnType<typeof createSuggestionStore>;
