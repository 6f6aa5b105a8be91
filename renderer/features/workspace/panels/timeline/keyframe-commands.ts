import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import {
  beginAt,
  copyKeyframe,
  endAt,
  keyframesOf,
  moveKeyframe,
  removeKeyframe,
  setKeyframe,
  setOutside,
} from '../../../../canvas/tracks/track-edits.ts';
import type { ClientId, TrackRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import type { FrameRange, Grabbed } from './timeline-view.ts';

/** The track after a drag; null if nothing would remain. */
export function dropped(
  track: TrackRecord,
  { what, from }: Grabbed,
  to: number,
  { last }: FrameRange,
  copies: boolean,
) {
  if (what === 'begin') return beginAt(track, from, to);
  if (what === 'end') return endAt(track, from, to, last);
  return (copies ? copyKeyframe : moveKeyframe)(track, from, to);
}

interface KeyframeCommandParts {
  readonly engine: Pick<CanvasEngine, 'execute' | 'tracks'>;
  readonly range: FrameRange;
  readonly refuse: (why: TextKey) => void;
}

/** Edits of one track on any frame, one undo step each. Impossible edits show a notice. */
export function createKeyframeCommands({ engine, range, refuse }: KeyframeCommandParts) {
  /** Returns success. An undo may have changed or deleted the track since the pointer press. */
  const edit = (
    id: ClientId,
    at: number,
    label: TextKey & `t${string}`,
    change: (track: TrackRecord) => TrackRecord | null,
    unless: TextKey = 'canvas.refused.lastKeyframe',
  ): boolean => {
    const before = engine.tracks.get(id);
    if (before === undefined) return false;
    const after = before.locked ? null : change(before);
    if (after === null) {
      refuse(before.locked ? 'canvas.refused.lockedChange' : unless);
      return false;
    }
    const changes = [{ clientId: id, before, after }];
    return engine.execute({ kind: 'keyframe', label: text(label), frame: at, changes }) !== null;
  };
  return {
    set: (id: ClientId, at: number) =>
      edit(
        id,
        at,
        'track.command.keyframe',
        (track) => (at < track.frame ? null : setKeyframe(track, at)),
        'canvas.refused.notHere',
      ),
    remove: (id: ClientId, at: number) =>
      edit(id, at, 'track.command.noKeyframe', (track) => removeKeyframe(track, at)),
    setOutside: (id: ClientId, at: number, outside: boolean) =>
      edit(id, at, outside ? 'timeline.madeOutside' : 'timeline.madeSeen', (track) => setOutside(track, at, outside)),
    copy: (id: ClientId, from: number, to: number) =>
      edit(id, to, 'timeline.copied', (track) => copyKeyframe(track, from, to)),
    /** Ends a drag. A keyframe that no longer exists is not moved. */
    drop(id: ClientId, grabbed: Grabbed, to: number, copies: boolean): boolean {
      const track = engine.tracks.get(id);
      const { what, from } = grabbed;
      if (track === undefined || (what === 'keyframe' && !keyframesOf(track).includes(from))) return false;
      const label = {
        keyframe: copies ? 'timeline.copied' : 'timeline.moved',
        begin: 'timeline.beginMoved',
        end: 'timeline.endMoved',
      } as const;
      return edit(id, to, label[what], (now) => dropped(now, grabbed, to, range, copies), 'timeline.nothingLeft');
    },
  };
}

export type KeyframeCommands = ReturnType<typeof createKeyframeCommands>;
