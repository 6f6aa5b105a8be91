import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { keyframesOf } from '../../../../canvas/tracks/track-edits.ts';
import type { ClientId, TrackRecord } from '../../../../canvas/types.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { dropped, type KeyframeCommands } from './keyframe-commands.ts';
import {
  deletedAt,
  fitted,
  frameAt,
  frameOfDrag,
  grabbedAt,
  keyframeAt,
  rowHeightPx,
  rulerHeightPx,
  zoomedAt,
  type FrameRange,
  type Grabbed,
  type TimeView,
} from './timeline-view.ts';

const namesWidthPx = 216;

interface Dragged extends Grabbed {
  readonly track: TrackRecord;
  readonly to: number;
  readonly copies: boolean;
}

export interface ChosenKeyframe {
  readonly id: ClientId;
  readonly frame: number;
}

/** Place of a context menu: a keyframe or any frame of a row. */
export interface MenuPlace extends ChosenKeyframe {
  readonly isKeyframe: boolean;
  readonly x: number;
  readonly y: number;
}

interface Sheet {
  readonly tracks: readonly TrackRecord[];
  readonly view: TimeView;
  readonly range: FrameRange;
  readonly top: number;
  readonly width: number;
  readonly setView: (view: TimeView) => void;
  readonly commands: KeyframeCommands;
}

/** The selected keyframe while it exists and its frame is displayed. */
function useChosenKeyframe() {
  const { store, engine } = useSession();
  const { tracks } = engine;
  const [chosen, setChosen] = useState<ChosenKeyframe | null>(null);
  useEffect(() => {
    if (chosen === null) return undefined;
    return store.subscribe(({ wantedFrame }, before) => {
      if (wantedFrame !== before.wantedFrame && wantedFrame !== chosen.frame) setChosen(null);
    });
  }, [store, chosen]);
  const track = chosen === null ? undefined : tracks.get(chosen.id);
  const isThere = chosen !== null && track !== undefined && keyframesOf(track).includes(chosen.frame);
  return { chosen: isThere ? chosen : null, choose: setChosen };
}

/** Pointer input of the timeline. Every edit is one undo step. */
export function useTimelinePointer({ tracks, view, range, top, width, setView, commands }: Sheet) {
  const { engine, navigator, player } = useSession();
  const deleted = useAnnotate((state) => state.deleted);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const { chosen, choose } = useChosenKeyframe();
  const xIn = (event: MouseEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const rowAt = (event: MouseEvent): TrackRecord | undefined => {
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top + top;
    return tracks[Math.floor(y / rowHeightPx)];
  };
  const select = (track: TrackRecord, adds: boolean): void => {
    if (adds) engine.selection.toggle(track.clientId);
    else engine.selection.set([track.clientId]);
  };
  const grabbed = (event: MouseEvent, track: TrackRecord | undefined): Grabbed | null =>
    track === undefined ? null : grabbedAt(track, view, xIn(event), range, deleted);
  const loopFrom = useRef<number | null>(null);

  const scrub = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = frameAt(view, xIn(event), range);
    const isOnMark = event.type === 'pointerdown' && event.nativeEvent.offsetY > rulerHeightPx;
    const to = (isOnMark ? deletedAt(deleted, view, xIn(event)) : null) ?? at;
    if (event.type === 'pointerdown') loopFrom.current = event.shiftKey ? to : null;
    if (loopFrom.current === null) void navigator.goTo(to);
    else player?.setLoop({ from: Math.min(to, loopFrom.current), to: Math.max(to, loopFrom.current) });
  };
  const press = (event: PointerEvent<HTMLCanvasElement>): void => {
    const track = rowAt(event);
    if (track === undefined || event.button !== 0) return;
    select(track, event.ctrlKey || event.metaKey);
    const held = grabbed(event, track);
    choose(held?.what === 'keyframe' ? { id: track.clientId, frame: held.from } : null);
    if (held === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged({ ...held, track, to: held.from, copies: event.altKey });
  };
  const move = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (dragged !== null) {
      const to = frameOfDrag(dragged, view, xIn(event), range);
      return setDragged({ ...dragged, to, copies: event.altKey });
    }
    const track = rowAt(event);
    const held = grabbed(event, track)?.what;
    engine.setHover(track?.clientId ?? null);
    event.currentTarget.style.cursor = held === undefined ? '' : held === 'keyframe' ? 'pointer' : 'ew-resize';
  };
  const release = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (dragged === null) return;
    const { track, what, from, to } = dragged;
    setDragged(null);
    if (from === to) {
      if (what === 'keyframe') void navigator.goTo(to);
      return;
    }
    const isDone = commands.drop(track.clientId, dragged, to, event.altKey);
    if (isDone && what === 'keyframe') choose({ id: track.clientId, frame: to });
  };
  const doubleClick = (event: MouseEvent<HTMLCanvasElement>): void => {
    const track = rowAt(event);
    if (track === undefined || keyframeAt(track, view, xIn(event)) !== null) return;
    commands.set(track.clientId, frameAt(view, xIn(event), range));
  };
  const askMenu = (event: MouseEvent<HTMLCanvasElement>): void => {
    event.preventDefault();
    const track = rowAt(event);
    if (track === undefined) return;
    if (!engine.selection.has(track.clientId)) select(track, false);
    const keyframe = keyframeAt(track, view, xIn(event));
    const at = { id: track.clientId, frame: keyframe ?? frameAt(view, xIn(event), range) };
    choose(keyframe === null ? null : at);
    setMenu({ ...at, isKeyframe: keyframe !== null, x: event.clientX, y: event.clientY });
  };
  const key = (event: KeyboardEvent): void => {
    if (chosen === null) return;
    if (event.key === 'Delete' || event.key === 'Backspace') commands.remove(chosen.id, chosen.frame);
    else if (event.key === 'Escape') choose(null);
    else return;
    event.preventDefault();
  };
  /** `left` is the timeline's page offset. */
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

  return {
    /** The track as the drag would leave it, for drawing. */
    preview: (track: TrackRecord): TrackRecord =>
      dragged?.track === track && dragged.to !== dragged.from && !track.locked
        ? (dropped(track, dragged, dragged.to, range, dragged.copies) ?? track)
        : track,
    chosen: chosen !== null && dragged?.what === 'keyframe' ? { ...chosen, frame: dragged.to } : chosen,
    choose,
    menu,
    closeMenu: () => setMenu(null),
    scrub,
    press,
    move,
    release,
    cancel: () => setDragged(null),
    doubleClick,
    askMenu,
    key,
    wheel,
    select,
  };
}
