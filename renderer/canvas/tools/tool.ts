import type { TextKey } from '../../i18n/text-key.ts';
import type { MaskPainting } from '../geometry/mask-painting.ts';
import type { Handle } from '../shapes/behaviour.ts';
import type { Box, ClientId, Command, DraftShape, Point, Prompts, ShapeRecord, Size, ToolId } from '../types.ts';

/** A pointer event independent of the DOM. */
export interface PointerInput {
  readonly screen: Point;
  readonly image: Point;
  /** 0 left, 1 middle, 2 right, −1 none changed. */
  readonly button: number;
  readonly shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  readonly mod: boolean;
  readonly alt: boolean;
  /** 2 for the second press of a double click. */
  readonly clicks: number;
}

export interface Draft {
  readonly shape: ShapeRecord;
  /** 'drawing' marks vertices and leaves a path's outline open. */
  readonly state: 'drawing' | 'editing';
  /** A click at the pointer would close the polygon. */
  readonly closing?: boolean;
  /** Marked points while drawing; by default all points of the shape. */
  readonly marked?: readonly Point[];
}

export interface PaintingView {
  readonly painting: MaskPainting;
  /** Pixels changed since the last `taken()`; an empty box if none. */
  dirty(): Box;
  taken(): void;
  readonly labelId: number;
}

export interface ToolView {
  readonly drafts: readonly Draft[];
  /** Records hidden because the tool draws them in another way. */
  readonly hidden: readonly ClientId[];
  /** Screen pixels. */
  readonly marquee: Box | null;
  /** Position where a click would add a vertex, image pixels. */
  readonly newVertex: Point | null;
  readonly activeHandle: Handle | null;
  readonly brush: { readonly at: Point; readonly diameter: number; readonly form: 'circle' | 'square' } | null;
  readonly painting: PaintingView | null;
  readonly prompts: Prompts | null;
  /** Size of the box being drawn, image pixels. */
  readonly size: Size | null;
  readonly hint: TextKey | null;
}

export const emptyToolView: ToolView = {
  drafts: [],
  hidden: [],
  marquee: null,
  newVertex: null,
  activeHandle: null,
  brush: null,
  painting: null,
  prompts: null,
  size: null,
  hint: null,
};

/** A point or handle of the selected shape that keys move instead of the complete shape. */
export interface KeyPoint {
  /** Null if keys move the complete shape. */
  current(): Handle | null;
  step(by: 1 | -1): void;
  /** Equals a drag by image pixels. */
  move(deltaX: number, deltaY: number): Command | null;
  choose(index: number): void;
  /** False if points of this shape cannot be deleted, only the complete shape. */
  remove(): boolean;
  add(): void;
  /** False if no point was chosen. */
  clear(): boolean;
}

/** A tool is a state machine from pointer events to commands and a view. It never touches the DOM. */
export interface Tool {
  readonly id: ToolId;
  down(input: PointerInput): void;
  move(input: PointerInput): void;
  up(input: PointerInput): void;
  /** Discards the current gesture or drawing. False if there was none. */
  cancel(): boolean;
  /** Completes the drawing. False if there is none or it is incomplete. */
  finish(): boolean;
  /** Draws a shape into a box of the image without the pointer; undefined if the tool needs the pointer. */
  place?(box: Box): void;
  /** The draft to continue later; undefined or null if it is not worth saving. */
  draft?(): DraftShape | null;
  resume?(shape: DraftShape): void;
  /** Fills the holes of the mask being painted. Undefined or false if there is none. */
  fillHoles?(): boolean;
  /** Handle of the selected shape that keys move; undefined if unsupported. */
  readonly keyPoint?: KeyPoint;
  undoPoint(): boolean;
  redoPoint(): boolean;
  drawing(): boolean;
  /** True while a button is held for a gesture. */
  dragging(): boolean;
  cursor(): string;
  view(): ToolView;
  /** Called before another tool is selected (null: before another frame). By default `cancel`. */
  leave?(next: ToolId | null): void;
  /** Called when the system cancels the pointer during a gesture. By default `cancel`. */
  interrupt?(): void;
}

/** Maximum movement of a click between press and release, screen pixels. */
export const dragThresholdPx = 4;

export const isFarther = (a: Point, b: Point, distancePx: number): boolean =>
  Math.hypot(a.x - b.x, a.y - b.y) > distancePx;

export function interrupt(tool: Tool): void {
  if (tool.interrupt === undefined) tool.cancel();
  else tool.interrupt();
}

const never = (): boolean => false;

/** Defaults for tools that do not draw. */
export const quietTool = {
  cancel: never,
  finish: never,
  undoPoint: never,
  redoPoint: never,
  drawing: never,
  dragging: never,
  view: (): ToolView => emptyToolView,
};
