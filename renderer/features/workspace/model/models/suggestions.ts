import type { StoreApi } from 'zustand/vanilla';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { changed } from '../../../../canvas/changes.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { ModelState } from './model-state.ts';
import {
  acceptances,
  canAccept,
  inListOrder,
  isFrom,
  objectFinder,
  scoreOf,
  withoutKnown,
} from './suggestion-records.ts';
import { isSuggestion, type SuggestionStore } from './suggestion-store.ts';

/** Ids of an interactor's preview, which is not listed as a proposal. */
export const previewPrefix = 'preview:';
export const isOpenSuggestion = (record: SceneRecord): boolean =>
  isSuggestion(record) && !record.clientId.startsWith(previewPrefix);

interface SuggestionParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'selection' | 'patchScene' | 'execute' | 'focusShape'>;
  readonly suggestionStore: SuggestionStore;
  readonly state: StoreApi<ModelState>;
  readonly labels: () => readonly Label[];
}

export function createSuggestions({ engine, suggestionStore, state, labels }: SuggestionParts) {
  const { scene, selection } = engine;
  const open = (): SceneRecord[] => scene.all().filter(isOpenSuggestion);
  const judged = () => {
    const objectOf = objectFinder(scene.all());
    const { minimumScore } = state.getState();
    const all = open();
    const inapplicable = new Set(all.filter((record) => !canAccept(record, objectOf)));
    const visible = all.filter((record) => scoreOf(record) >= minimumScore && !inapplicable.has(record));
    return { all, inapplicable, visible };
  };
  const shown = (): SceneRecord[] => inListOrder(judged().visible, labels());

  /** Hides without an undo step. */
  const applyFilter = (): void => {
    const { all, inapplicable, visible } = judged();
    const idsOfInapplicable = [...inapplicable].map(({ clientId }) => clientId);
    suggestionStore.setInapplicable(scene.frame, idsOfInapplicable);
    const isVisible = new Set(visible);
    const wrong = all.filter((record) => record.hidden === isVisible.has(record));
    if (wrong.length > 0) engine.patchScene(wrong.map((record) => ({ ...record, hidden: !record.hidden })));
    const gone = selection.ids().filter((id) => scene.get(id)?.hidden === true && isSuggestion(scene.get(id)));
    if (gone.length > 0) selection.set(selection.ids().filter((id) => !gone.includes(id)));
  };
  /** Drops proposals that were saved in another way, for example by a run over the task. */
  const dropKnown = (): void => {
    const proposals = open();
    const others = scene.all().filter((record) => !isSuggestion(record));
    const fresh = new Set(withoutKnown(proposals, proposals.length === 0 ? [] : others));
    const known = proposals.filter((record) => !fresh.has(record)).map(({ clientId }) => clientId);
    suggestionStore.remove(scene.frame, known);
    if (known.length > 0) engine.patchScene([], known);
  };
  const stop = scene.subscribe((change) => {
    if (change.reset) dropKnown();
    applyFilter();
  });

  const select = (id: ClientId): void => {
    if (scene.getShape(id) === undefined) selection.set([id]);
    else engine.focusShape(id);
  };
  const decide = (ids: readonly ClientId[], sentence: 'accepted' | 'rejected'): void => {
    const chosen = new Set(ids);
    const before = shown();
    const decided = before.filter(({ clientId }) => chosen.has(clientId));
    const changes =
      sentence === 'accepted' ? acceptances(decided, scene.all()) : decided.map((record) => changed(record, null));
    const [only] = decided;
    if (only === undefined) return;
    const last = before.findLastIndex(({ clientId }) => chosen.has(clientId));
    const rest = before.filter(({ clientId }) => !chosen.has(clientId));
    const next = before.slice(last + 1).find(({ clientId }) => !chosen.has(clientId)) ?? rest.at(-1);
    const name = labels().find(({ id }) => id === only.labelId)?.name ?? '';
    const label = text(`assist.${sentence}`, { count: decided.length, name });
    engine.execute({ kind: sentence === 'accepted' ? 'other' : 'delete', label, changes });
    if (next === undefined) selection.clear();
    else select(next.clientId);
  };

  return {
    suggestionStore,
    /**
     * Replaces the proposals of a source for a frame, and selects the first one unless they come quietly. Returns the
     * number of open ones.
     */
    offer(frame: number, source: string, records: readonly SceneRecord[], how?: 'quietly'): number {
      const isHere = scene.frame === frame;
      const earlier = suggestionStore.of(frame).filter((record) => isFrom(record, source));
      const ids = earlier.map(({ clientId }) => clientId);
      suggestionStore.remove(frame, ids);
      const there = isHere ? scene.all().filter((record) => !ids.includes(record.clientId)) : suggestionStore.of(frame);
      const fresh = withoutKnown(records, there);
      suggestionStore.put(fresh);
      if (!isHere) return fresh.length;
      engine.patchScene(fresh, ids);
      const [first] = shown();
      if (how !== 'quietly' && fresh.length > 0 && first !== undefined) select(first.clientId);
      return fresh.length;
    },
    shown,
    selected: () =>
      selection.ids().filter((id) => {
        const record = scene.get(id);
        return record !== undefined && isOpenSuggestion(record);
      }),
    accept: (ids: readonly ClientId[]) => decide(ids, 'accepted'),
    reject: (ids: readonly ClientId[]) => decide(ids, 'rejected'),
    setMinimumScore(minimumScore: number) {
      state.setState({ minimumScore });
      applyFilter();
    },
    step(by: 1 | -1) {
      const list = shown();
      const at = list.findIndex(({ clientId }) => clientId === selection.ids().at(-1));
      const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length];
      if (next !== undefined) select(next.clientId);
    },
    select,
    close: stop,
  };
}

export type Suggestions = ReturnType<typeof createSuggestions>;
