import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { safePalette } from '../../../canvas/appearance.ts';
import { stopAll } from '../../../canvas/emitter.ts';
import type { Scene } from '../../../canvas/scene.ts';
import type { Appearance, SceneRecord, TrackRecord } from '../../../canvas/types.ts';
import type { LabelTotal } from '../model/labels/label-totals.ts';
import { isUnnamed } from '../model/labels/unnamed-shapes.ts';
import { isSuggestion } from '../model/models/suggestion-store.ts';
import { useAnnotate, useSession } from './session-context.ts';

const isAnnotation = (record: SceneRecord): boolean => !isSuggestion(record) && !isUnnamed(record);

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
export function useSceneRecords(select: Select): readonly SceneRecord[] {
  const { scene } = useSession().engine;
  return useSyncExternalStore(
    scene.subscribe,
    useMemo(() => createReader(scene, select), [scene, select]),
  );
}

/** True if the object appears in lists: an annotation that passes the filter. */
export const isListed = (record: SceneRecord): boolean => isAnnotation(record) && record.filteredOut !== true;
const listed = (all: readonly SceneRecord[]): readonly SceneRecord[] => all.filter(isListed);
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

/** Track of a record; changes with every edit of a track. */
export function useTrack(record: SceneRecord): TrackRecord | undefined {
  const { tracks } = useSession().engine;
  useSyncExternalStore(tracks.subscribe, () => tracks.version);
  return record.kind === 'shape' && record.trackId !== undefined ? tracks.get(record.trackId) : undefined;
}

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
