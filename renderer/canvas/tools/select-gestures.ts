import { boxOfCorners } from '../geometry/box.ts';
import { screenBoxToImage } from '../geometry/view-transform.ts';
import type { Handle } from '../shapes/behaviour.ts';
import type { Box, ClientId } from '../types.ts';
import {
  commitDrafts,
  cursorOfHandle,
  insertVertex,
  kindOfHandle,
  movableShapes,
  movedShapes,
  type EdgeTarget,
} from './select-edits.ts';
import { snapped } from './snapping.ts';
import type { ToolHost } from './tool-host.ts';
import { dragThresholdPx, isFarther, type Draft, type PointerInput } from './tool.ts';

/** Behaviour of the select tool while the button is held. */
export interface Gesture {
  /** The next gesture: itself, or the one that a press becomes after enough movement. */
  move(input: PointerInput): Gesture;
  up(input: PointerInput): void;
  end(): void;
  readonly cursor: string;
  readonly drafts: readonly Draft[];
  /** Screen pixels. */
  readonly marquee: Box | null;
  readonly handle: Handle | null;
}

const still = { drafts: [], marquee: null, handle: null, end: () => undefined };

const wasClick = (from: PointerInput, to: PointerInput): boolean => !isFarther(from.screen, to.screen, dragThresholdPx);

/** A press on a shape; has no effect until the pointer moves or the button is released. */
export function pressGesture(
  host: ToolHost,
  from: PointerInput,
  on: { readonly edge: EdgeTarget | null; readonly canMove: boolean },
): Gesture {
  const gesture: Gesture = {
    ...still,
    cursor: on.canMove ? 'move' : 'default',
    move(input) {
      if (wasClick(from, input)) return gesture;
      return begun().move(input);
    },
    up(input) {
      if (from.clicks >= 2) insertVertex(host, input.image);
      else if (!from.shift && !from.mod && host.selection.ids().length > 1) selectOnly(host, input);
    },
  };
  const begun = (): Gesture => {
    if (on.edge !== null) {
      const { edge, at } = on.edge;
      return handleGesture(host, from, {
        id: `m${edge}`,
        kind: 'middle',
        ...at,
        index: edge,
        degrees: 0,
      });
    }
    return on.canMove ? moveGesture(host, from) : marqueeGesture(host, from, []);
  };
  return gesture;
}

function selectOnly(host: ToolHost, input: PointerInput): void {
  const id = host.pick(input.image)?.id;
  if (id !== undefined) host.selection.set([id]);
}

/** Moves all movable selected shapes together, as objects or, if there are too many, as records. */
function moveGesture(host: ToolHost, from: PointerInput): Gesture {
  const shapes = movableShapes(host);
  const transform = host.selected.begin(null, from.image, host.imageSize());
  const gesture = {
    ...still,
    drafts: [] as readonly Draft[],
    cursor: 'move',
    move(input: PointerInput): Gesture {
      const moved = transform?.to(input.image, input.shift) ?? movedShapes(host, shapes, from.image, input);
      gesture.drafts = moved.map((shape) => ({ shape, state: 'editing' }));
      host.refresh('active');
      return gesture;
    },
    up: () => void commitDrafts(host, gesture.drafts, 'move'),
    end: () => transform?.end(),
  };
  return gesture;
}

/** Handles that are or become a point of the shape. */
const pointHandles: readonly Handle['kind'][] = ['vertex', 'middle', 'corner'];

/** Drags one handle of the selection. A press without movement changes nothing. */
export function handleGesture(host: ToolHost, from: PointerInput, handle: Handle): Gesture {
  const transform = host.selected.begin(handle, from.image, host.imageSize());
  const snaps = pointHandles.includes(handle.kind);
  const gesture = {
    ...still,
    handle,
    drafts: [] as readonly Draft[],
    cursor: cursorOfHandle(handle, host.view().rotation, true),
    move(input: PointerInput): Gesture {
      if (gesture.drafts.length === 0 && !isFarther(from.screen, input.screen, 1)) return gesture;
      const shapes = transform?.to(snaps ? snapped(host, input.image) : input.image, input.shift) ?? [];
      gesture.drafts = shapes.map((shape) => ({ shape, state: 'editing' }));
      host.refresh('active');
      return gesture;
    },
    up: () => void commitDrafts(host, gesture.drafts, kindOfHandle(handle)),
    end: () => transform?.end(),
  };
  return gesture;
}

/** A box on empty ground selects the shapes inside; a click there clears the selection. */
export function marqueeGesture(host: ToolHost, from: PointerInput, before: readonly ClientId[]): Gesture {
  const gesture = {
    ...still,
    marquee: null as Box | null,
    cursor: 'crosshair',
    move(input: PointerInput): Gesture {
      if (gesture.marquee === null && wasClick(from, input)) return gesture;
      gesture.marquee = boxOfCorners(from.screen, input.screen);
      host.selection.set([...before, ...host.inBox(screenBoxToImage(host.view(), gesture.marquee))]);
      host.refresh('overlay');
      return gesture;
    },
    up() {
      if (gesture.marquee === null && !from.shift && !from.mod) host.selection.clear();
    },
  };
  return gesture;
}
