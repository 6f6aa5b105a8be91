import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { ActionTable } from '../../../canvas/action-table.ts';
import { safePalette } from '../../../canvas/appearance.ts';
import { stopAll } from '../../../canvas/emitter.ts';
import type { Scene } from '../../../canvas/scene.ts';
import type { Appearance, SceneRecord, TrackRecord } from '../../../canvas/types.ts';
import { labelActionId } from '../../../shared/keys/keymap.ts';
import { shortcutText, useKeymap } from '../../../shared/keys/keymap-store.ts';
import type { AnnotateState } from '../model/types.ts';
import type { FilterState } from '../model/find/filter-controller.ts';
import type { ModelState } from '../model/models/model-state.ts';
import { bySureness } from '../model/models/suggestion-records.ts';
import { isSuggestion } from '../model/models/suggestion-store.ts';
import { isOpenSuggestion } from '../model/models/suggestions.ts';
import type { LabelTotal } from '../model/labels/label-totals.ts';
import { isUnnamed } from '../model/labels/unnamed-shapes.ts';
import type { AttributeState } from '../model/modes/attribute-cursor.ts';
import type { ModeChoices } from '../model/modes/mode-choices.ts';
import type { ReviewState } from '../model/review/review-controller.ts';
import type { SingleState } from '../model/modes/single-controller.ts';
import type { AnnotateSession } from '../model/session.ts';

const isAnnotation = (record: SceneRecord): boolean => !isSuggestion(record) && !isUnnamed(record);

export interface Workspace {
  readonly session: AnnotateSession;
  readonly actions: ActionTable;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('This component needs an open job.');
  return workspace;
}

/** Shortcut text of an action for the current keyboard layout; follows changes of shortcuts. */
export function useShortcuts(): (actionId: string) => string | undefined {
  const { actions } = useWorkspace();
  useSyncExternalStore(actions.subscribe, () => actions.version);
  useKeymap((state) => state.layout);
  return (actionId) => {
    const [shortcut] = actions.shortcutsOf(actionId);
    return shortcut === undefined ? undefined : shortcutText(shortcut);
  };
}

/** Key of a label: its own, or the digit of its position among the first nine. */
export function useLabelKeys(): (name: string, position: number) => string | undefined {
  const keyOf = useShortcuts();
  return (name, position) => keyOf(labelActionId(name)) ?? keyOf(`label.${position + 1}`);
}

export const useSession = (): AnnotateSession => useWorkspace().session;

export function useAnnotate<Value>(select: (state: AnnotateState) => Value): Value {
  return useStore(useSession().store, select);
}

const areSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

type Select = (all: readonly SceneRecord[]) => readonly SceneRecord[];

/** Returns the same array until its objects change. */
function createReader(scene: Scene, select: Select): () => readonly SceneRecord[] {
  let seen: readonly SceneRecord[] | null = null;
  let found: readonly SceneRecord[] = [];
  return () => {
    const all = scene.all();
    if (all === seen) return found;
    seen = all;
    const now = select(all);
    if (!areSame(found, now)) found = now;
    return found;
  };
}

/** Selection of the frame's objects; renders only if it changes, not on each frame step. */
function useSceneRecords(select: Select): readonly SceneRecord[] {
  const { scene } = useSession().engine;
  return useSyncExternalStore(
    scene.subscribe,
    useMemo(() => createReader(scene, select), [scene, select]),
  );
}

/** True if the object appears in lists: an annotation that passes the filter. */
export const isListed = (record: SceneRecord): boolean => isAnnotation(record) && record.filteredOut !== true;
const listed = (all: readonly SceneRecord[]): readonly SceneRecord[] => all.filter(isListed);
const hiddenByFilter = (all: readonly SceneRecord[]): readonly SceneRecord[] =>
  all.filter(({ filteredOut }) => filteredOut === true);
const openSuggestions = (all: readonly SceneRecord[]): readonly SceneRecord[] =>
  bySureness(all.filter(isOpenSuggestion));
const tags = (all: readonly SceneRecord[]): readonly SceneRecord[] => listed(all).filter(({ kind }) => kind === 'tag');

/** Annotations of the frame that pass the filter. Changes on edits, never on pointer moves. */
export const useRecords = (): readonly SceneRecord[] => useSceneRecords(listed);
export const useTags = (): readonly SceneRecord[] => useSceneRecords(tags);

/** Total of a label on the frame; renders only if the number changes. */
export function useLabelTotal(labelId: number): LabelTotal {
  const { labelTotals } = useSession();
  return useSyncExternalStore(labelTotals.subscribe, () => labelTotals.of(labelId));
}

export function useObjectCount(): number {
  const { labelTotals } = useSession();
  return useSyncExternalStore(labelTotals.subscribe, labelTotals.count);
}

export const useFilteredOut = (): number => useSceneRecords(hiddenByFilter).length;

/** Track of a record; changes with every edit of a track. */
export function useTrack(record: SceneRecord): TrackRecord | undefined {
  const { tracks } = useSession().engine;
  useSyncExternalStore(tracks.subscribe, () => tracks.version);
  return record.kind === 'shape' && record.trackId !== undefined ? tracks.get(record.trackId) : undefined;
}

/** Open proposals on the frame, highest score first. */
export const useSuggestions = (): readonly SceneRecord[] => useSceneRecords(openSuggestions);

/** Display settings, whichever control changes them. */
export function useAppearance(): Appearance {
  const { engine } = useSession();
  return useSyncExternalStore((changed) => engine.on('appearance', changed), engine.getAppearance);
}

/** Colour of an object on the canvas, for lists. */
export function useObjectColor(record: SceneRecord): string {
  useAppearance();
  return useSession().engine.colorOf(record);
}

export function useLabelColor(): (label: Label) => string {
  const { palette } = useAppearance();
  const labels = useAnnotate((state) => state.labels);
  return (label) =>
    palette === 'safe' ? (safePalette[labels.indexOf(label) % safePalette.length] ?? label.color) : label.color;
}

export function useModels<Value>(select: (state: ModelState) => Value): Value {
  return useStore(useSession().models.state, select);
}

export function useSelection(): readonly string[] {
  const { selection } = useSession().engine;
  return useSyncExternalStore(selection.subscribe, () => selection.ids());
}

/** Point of the selected shape that keys move; null for none. */
export function useChosenPoint(): number | null {
  const { engine } = useSession();
  return useSyncExternalStore(
    useCallback(
      (changed: () => void) => {
        const stops = [engine.on('keyPoint', changed), engine.on('toolChange', changed)];
        return () => stopAll(stops);
      },
      [engine],
    ),
    () => {
      const handle = engine.keyPoint()?.current() ?? null;
      return handle?.kind === 'vertex' ? handle.index : null;
    },
  );
}

/** True if pointer or list hovers the object; renders only the affected rows. */
export function useIsHovered(id: string): boolean {
  const { engine } = useSession();
  return useSyncExternalStore(
    (changed) => engine.on('hover', changed),
    () => engine.getHover() === id,
  );
}

export const useFilter = <Value>(select: (state: FilterState) => Value): Value =>
  useStore(useSession().find.filter.state, select);

export const useReview = <Value>(select: (state: ReviewState) => Value): Value =>
  useStore(useSession().review.state, select);

export const useModeChoice = <Name extends keyof ModeChoices>(name: Name): ModeChoices[Name] =>
  useStore(useSession().modes.choices.state, (choices) => choices[name]);

export const useAttributes = <Value>(select: (state: AttributeState) => Value): Value =>
  useStore(useSession().modes.attributes.state, select);

export const useSingle = <Value>(select: (state: SingleState) => Value): Value =>
  useStore(useSession().modes.single.state, select);
