import { useRef, useState, type MouseEvent, type PointerEvent } from 'react';
import { copyKeyframe, keyframesOf, moveKeyframe, setKeyframe } from '../../../canvas/tracks/track-edits.ts';
import type { TrackRecord } from '../../../canvas/types.ts';
import { canvasText } from '../../../i18n/canvas-text.ts';
import { text } from '../../../i18n/index.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { notify } from '../../../ui/notify.ts';
import { useSession } from '../session-context.ts';
import { fitted, frameAt, keyframeAt, rowHeightPx, zoomedAt, type FrameRange, type TimeView } from './timeline-view.ts';

const namesWidthPx = 216;

/** A keyframe that is being dragged. */
interface Dragged {
  readonly track: TrackRecord;
  readonly from: number;
  readonly to: number;
}

interface Sheet {
  readonly tracks: readonly TrackRecord[];
  readonly view: TimeView;
  readonly range: FrameRange;
  /** How far the rows are scrolled. */
  readonly top: number;
  readonly width: number;
  readonly setView: (view: TimeView) => void;
}

/** What the pointer does on the timeline: every edit is one step of the history. */
export function useTimelinePointer({ tracks, view, range, top, width, setView }: Sheet) {
  const { engine, navigator, player } = useSession();
  const refuse = (why: TextKey): void => notify.hint('refused', canvasText(why));
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const xIn = (event: MouseEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const rowAt = (event: MouseEvent): TrackRecord | undefined => {
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top + top;
    return tracks[Math.floor(y / rowHeightPx)];
  };
  const select = (track: TrackRecord, adds: boolean): void => {
    if (adds) engine.selection.toggle(track.clientId);
    else engine.selection.set([track.clientId]);
  };
  const edit = (label: string, before: TrackRecord, after: TrackRecord | null, at: number): void => {
    engine.execute({ kind: 'keyframe', label, frame: at, changes: [{ clientId: before.clientId, before, after }] });
  };
  const loopFrom = useRef<number | null>(null);

  const scrub = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const to = frameAt(view, xIn(event), range);
    if (event.type === 'pointerdown') loopFrom.current = event.shiftKey ? to : null;
    if (loopFrom.current === null) void navigator.goTo(to);
    else player?.setLoop({ from: Math.min(to, loopFrom.current), to: Math.max(to, loopFrom.current) });
  };
  const press = (event: PointerEvent<HTMLCanvasElement>): void => {
    const track = rowAt(event);
    if (track === undefined || event.button !== 0) return;
    select(track, event.ctrlKey || event.metaKey);
    const from = keyframeAt(track, view, xIn(event));
    if (from === null) return;
    if (track.locked) return refuse('canvas.refused.lockedChange');
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged({ track, from, to: from });
  };
  const move = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (dragged === null) engine.setHover(rowAt(event)?.clientId ?? null);
    else setDragged({ ...dragged, to: frameAt(view, xIn(event), range) });
  };
  const release = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (dragged === null) return;
    const { from, to } = dragged;
    setDragged(null);
    // It may have been changed meanwhile, by an undo for example.
    const track = engine.tracks.get(dragged.track.clientId);
    if (track === undefined || !keyframesOf(track).includes(from)) return;
    if (from === to) void navigator.goTo(to);
    else if (event.altKey) edit(text('timeline.copied'), track, copyKeyframe(track, from, to), to);
    else edit(text('timeline.moved'), track, moveKeyframe(track, from, to), to);
  };
  const doubleClick = (event: MouseEvent<HTMLCanvasElement>): void => {
    const track = rowAt(event);
    const at = frameAt(view, xIn(event), range);
    if (track === undefined || keyframeAt(track, view, xIn(event)) !== null) return;
    if (track.locked) return refuse('canvas.refused.lockedChange');
    if (at < track.frame) return refuse('canvas.refused.notHere');
    edit(text('track.command.keyframe'), track, setKeyframe(track, at), at);
  };
  /** `left`: of the timeline on the page. */
  const wheel = (event: globalThis.WheelEvent, left: number): void => {
    const x = event.clientX - left - namesWidthPx;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      setView(zoomedAt(view, x, event.deltaY < 0 ? 1.2 : 1 / 1.2, range, width));
    } else if (event.shiftKey || event.deltaX !== 0) {
      event.preventDefault();
      setView(fitted({ ...view, from: view.from + (event.deltaX || event.deltaY) / view.scale }, range, width));
    }
  };

  return { dragged, scrub, press, move, release, cancel: () => setDragged(null), doubleClick, wheel, select };
}
