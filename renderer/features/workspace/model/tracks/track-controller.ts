import { added, changed } from '../../../../canvas/changes.ts';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import {
  countedKeyframes,
  removeBefore,
  removeFrom,
  removeKeyframe,
  setKeyframe,
  splitTrack,
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
import { createTrackCopies } from './track-copies.ts';
import { createTrackMerging } from './track-merging.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { shortcutText } from '../../../../shared/keys/keymap-store.ts';
import { notifyAction } from '../../../../ui/notify-action.tsx';

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
