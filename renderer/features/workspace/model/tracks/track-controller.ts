import { added, changed, removed } from '../../../../canvas/changes.ts';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import {
  countedKeyframes,
  removeBefore,
  removeFrom,
  removeKeyframe,
  setKeyframe,
  splitTrack,
  mergeObjects,
} from '../../../../canvas/tracks/track-edits.ts';
import { isKeyframe } from '../../../../canvas/tracks/track-shapes.ts';
import type {
  ClientId,
  CommandInput,
  CommandKind,
  RecordChange,
  ShapeRecord,
  TrackRecord,
} from '../../../../canvas/types.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { text } from '../../../../i18n/index.ts';
import type { FrameNavigator, SessionParts } from '../types.ts';
import { saveDrawsTracks } from '../saved-switches.ts';
import { isUnnamed } from '../labels/unnamed-shapes.ts';
import { isSuggestion } from '../models/suggestion-store.ts';
import { createTrackCopies, type ChosenObjects } from './track-copies.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { shortcutText } from '../../../../shared/keys/keymap-store.ts';
import { notifyAction } from '../../../../ui/notify-action.tsx';
import { stopAll } from '../../../../canvas/emitter.ts';

interface MergingParts extends Pick<SessionParts, 'engine' | 'store'> {
  readonly refuse: (why: TextKey) => void;
  readonly selection: ChosenObjects;
}

/** Collects objects of any frame and merges them into one track. */
function createTrackMerging({ engine, store, refuse, selection: { tracks: selected, shapes, run } }: MergingParts) {
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

interface DeletedTracksParts {
  readonly engine: Pick<CanvasEngine, 'on'>;
  readonly undo: () => void;
}

/** Key that deletes a track from the displayed frame on. */
export const removeFromKey = 'Mod+Delete';

/** Delete removes a track from all frames, not only the displayed one, so a notice appears. @returns stop function */
export const tellDeletedTracks = ({ engine, undo }: DeletedTracksParts): (() => void) =>
  engine.on('command', ({ kind, changes }, origin) => {
    const count = changes.filter(({ before, after }) => before?.kind === 'track' && after === null).length;
    if (kind !== 'delete' || origin !== 'do' || count === 0) return;
    const told = text('track.deletedWhole', { count, key: shortcutText(removeFromKey) });
    notifyAction('deletedTrack', told, { label: text('actions.edit.undo'), run: undo });
  });

interface TrackControllerParts extends Pick<SessionParts, 'engine' | 'store'> {
  readonly job: Pick<Job, 'id' | 'start_frame' | 'stop_frame' | 'mode'>;
  readonly navigator: Pick<FrameNavigator, 'goTo'>;
  readonly refuse: (why: TextKey) => void;
}

const newId = (): ClientId => crypto.randomUUID();

export function createTrackController({ job, engine, store, navigator, refuse }: TrackControllerParts) {
  const { scene, selection, tracks } = engine;
  const here = (): number => scene.frame;
  const selected = (): TrackRecord[] => selection.ids().flatMap((id) => tracks.get(id) ?? []);
  const shapes = (): ShapeRecord[] =>
    selection
      .ids()
      .flatMap((id) => scene.getShape(id) ?? [])
      .filter((shape) => shape.trackId === undefined && !isSuggestion(shape) && !isUnnamed(shape));
  const run = (kind: CommandKind, label: NonNullable<CommandInput['label']>, changes: readonly RecordChange[]): void =>
    void engine.execute({ kind, label, frame: here(), changes });

  /** Selected unlocked tracks; shows a notice if there are none. */
  const open = (): TrackRecord[] => {
    const chosen = selected();
    const free = chosen.filter((track) => !track.locked);
    if (free.length === 0) refuse(chosen.length === 0 ? 'canvas.refused.noTrack' : 'canvas.refused.lockedChange');
    return free;
  };
  const edit = (
    kind: CommandKind,
    label: string,
    change: (track: TrackRecord) => TrackRecord | null,
    unless?: TextKey,
  ): void => {
    const changes = open().flatMap((before): RecordChange[] => {
      const after = change(before);
      return after === null && unless !== undefined ? [] : [changed(before, after)];
    });
    if (changes.length > 0) run(kind, label, changes);
    else if (unless !== undefined && selected().length > 0) refuse(unless);
  };

  const chosen = { tracks: open, shapes, run };
  const merging = createTrackMerging({ engine, store, refuse, selection: { tracks: selected, shapes, run } });
  const keyframeAway = (direction: 1 | -1): number | undefined => {
    const frames = selected().flatMap((track) => countedKeyframes(track, store.getState().deleted));
    return direction > 0
      ? frames.filter((frame) => frame > here() && frame <= job.stop_frame).sort((a, b) => a - b)[0]
      : frames.filter((frame) => frame < here() && frame >= job.start_frame).sort((a, b) => b - a)[0];
  };

  return {
    selected,
    shapes,
    /** Sets if the next object starts a track; saved for this job. */
    setAsTrack(asTrack: boolean) {
      saveDrawsTracks(job, asTrack);
      store.setState({ asTrack });
      engine.setTool(engine.getTool().id, { asTrack });
    },
    toggleKeyframe() {
      const set = selected().some((track) => !isKeyframe(track, here()));
      if (set) edit('keyframe', text('track.command.keyframe'), (track) => setKeyframe(track, here()));
      else
        edit(
          'keyframe',
          text('track.command.noKeyframe'),
          (track) => removeKeyframe(track, here()),
          'canvas.refused.lastKeyframe',
        );
    },
    keyframeAway,
    goToKeyframe(direction: 1 | -1) {
      const frame = keyframeAway(direction);
      if (frame !== undefined) void navigator.goTo(frame);
    },
    /** Removes a track from this frame on; deletes it completely if it starts here. */
    removeFrom: () => edit('track', text('track.command.removeFrom'), (track) => removeFrom(track, here())),
    removeBefore: () => edit('track', text('track.command.removeBefore'), (track) => removeBefore(track, here())),
    split() {
      const pairs = open().flatMap((track) => {
        const pair = tracks.shown(track, here())?.outside === false ? splitTrack(track, here(), newId) : null;
        return pair === null ? [] : [{ track, pair }];
      });
      if (pairs.length === 0 && selected().length > 0) return refuse('canvas.refused.splitHere');
      const changes = pairs.flatMap(({ track, pair: [before, after] }) => [changed(track, before), added(after)]);
      if (changes.length > 0) run('track', text('track.command.split'), changes);
    },
    ...merging,
    ...createTrackCopies({ job, engine, deleted: () => store.getState().deleted, refuse, selection: chosen }),
  };
}
