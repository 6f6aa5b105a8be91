import { added, removed } from '../../../../canvas/changes.ts';
import { stopAll } from '../../../../canvas/emitter.ts';
import { mergeObjects } from '../../../../canvas/tracks/track-edits.ts';
import type { ShapeRecord, TrackRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import type { SessionParts } from '../types.ts';
import type { ChosenObjects } from './track-copies.ts';

interface MergingParts extends Pick<SessionParts, 'engine' | 'store'> {
  readonly refuse: (why: TextKey) => void;
  readonly selection: ChosenObjects;
}

/** Collects objects of any frame and merges them into one track. */
export function createTrackMerging({
  engine,
  store,
  refuse,
  selection: { tracks: selected, shapes, run },
}: MergingParts) {
  const { scene, selection, tracks } = engine;
  const collected = (): (ShapeRecord | TrackRecord)[] =>
    (store.getState().merging ?? []).flatMap((one) => {
      const track = tracks.get(one.clientId);
      if (track !== undefined) return track;
      if (one.kind === 'track') return [];
      return one.frame === scene.frame ? (scene.getShape(one.clientId) ?? []) : one;
    });
  const collect = (): void => {
    const { merging } = store.getState();
    if (merging === null) return;
    const known = new Set(merging.map(({ clientId }) => clientId));
    const added = [...shapes(), ...selected()].filter(({ clientId }) => !known.has(clientId));
    if (added.length > 0) store.setState({ merging: [...merging, ...added] });
  };
  const unite = (objects: readonly (ShapeRecord | TrackRecord)[], bridge: boolean): void => {
    if (objects.length < 2) return refuse('canvas.refused.mergeFew');
    const after = mergeObjects(objects, { newId: () => crypto.randomUUID(), isMutable: engine.isMutable, bridge });
    if (after === null) return refuse('canvas.refused.mergeUnlike');
    store.setState({ merging: null });
    const label = text(bridge ? 'track.command.join' : 'track.command.merge', { count: objects.length });
    run('track', label, [...objects.map(removed), added(after)]);
    selection.set([after.clientId]);
  };
  const stops = [
    selection.subscribe(collect),
    // Collected objects may be changed or deleted before the merge.
    engine.on('command', ({ changes }) => {
      const { merging } = store.getState();
      if (merging === null) return;
      const now = new Map(changes.map(({ clientId, after }) => [clientId, after]));
      const next = merging.flatMap((one) => {
        const after = now.has(one.clientId) ? now.get(one.clientId) : one;
        return after && after.kind !== 'tag' ? after : [];
      });
      if (changes.some(({ clientId }) => merging.some((one) => one.clientId === clientId)))
        store.setState({ merging: next });
    }),
  ];

  return {
    /** Starts collecting objects; the second call merges them. */
    merge() {
      if (store.getState().merging === null) {
        store.setState({ merging: [] });
        collect();
      } else unite(collected(), false);
    },
    /** Merges the collected or selected objects into one track, which is visible in the gaps too. */
    join() {
      if (store.getState().merging === null) unite([...selected(), ...shapes()], true);
      else unite(collected(), true);
    },
    stopMerging: () => store.setState({ merging: null }),
    close: () => stopAll(stops),
  };
}
