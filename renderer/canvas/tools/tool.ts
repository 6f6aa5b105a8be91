import type { TextKey } from '../../i18n/text-key.ts';
import type { MaskPainting } from '../geometry/mask-painting.ts';
import type { Handle } from '../shapes/behaviour.ts';
import type { Box, ClientId, Command, HalfDrawnShape, Point, Prompts, ShapeRecord, Size, ToolId } from '../types.ts';

/** A pointer event without the DOM. */
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

/** A shape that is shown instead of its record, or before it has one. */
export interface Draft {
  readonly shape: ShapeRecord;
  /** 'drawing': vertices are marked, the outline of a path is open. */
  readonly state: 'drawing' | 'editing';
  /** The pointer is where a click closes the polygon. */
  readonly closing?: boolean;
  /** The points that are marked while it is drawn; all of the shape's where absent. */
  readonly marked?: readonly Point[];
}

export interface PaintingView {
  readonly painting: MaskPainting;
  /** Pixels that changed since the last `taken()`; empty box: none. */
  dirty(): Box;
  taken(): void;
  readonly labelId: number;
}

/** What a tool wants to be seen. */
export interface ToolView {
  readonly drafts: readonly Draft[];
  /** Records that are not to be drawn because the tool shows them in another way. */
  readonly hidden: readonly ClientId[];
  /** Screen pixels. */
  readonly marquee: Box | null;
  /** Where a click would add a vertex, image pixels. */
  readonly newVertex: Point | null;
  readonly activeHandle: Handle | null;
  readonly brush: { readonly at: Point; readonly diameter: number; readonly form: 'circle' | 'square' } | null;
  readonly painting: PaintingView | null;
  readonly prompts: Prompts | null;
  /** Size of the box being drawn, image pixels. */
  readonly size: Size | null;
  /** What the keys do now, where they do something special. */
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

/** One point or handle of the selected shape, led by keys in place of the whole shape. */
export interface KeyPoint {
  /** Null: the keys lead the whole shape. */
  current(): Handle | null;
  /** To the next or the previous one; the shape's own points come first. */
  step(by: 1 | -1): void;
  /** As if it was dragged by so many image pixels. */
  move(deltaX: number, deltaY: number): Command | null;
  /** A vertex of the selected shape. */
  choose(index: number): void;
  /** False: points of this shape are not deleted, only the whole. */
  remove(): boolean;
  /** A new point, half way to the next one, is led from now on. */
  add(): void;
  /** False: there was none. */
  clear(): boolean;
}

/** A tool is a small state machine: pointer events in, commands and a view out. It never touches the DOM. */
export interface Tool {
  readonly id: ToolId;
  down(input: PointerInput): void;
  move(input: PointerInput): void;
  up(input: PointerInput): void;
  /** Stops what is under way and keeps nothing of it. False: nothing was. */
  cancel(): boolean;
  /** Completes what is being drawn. False: nothing was, or it is not complete yet. */
  finish(): boolean;
  /** Draws a whole shape without the pointer, in a box of the image. Absent: this tool needs the pointer. */
  place?(box: Box): void;
  /** What is half drawn, to be gone on with later. Absent or null: nothing of it is worth it. */
  halfDrawn?(): HalfDrawnShape | null;
  /** Goes on with it. */
  resume?(shape: HalfDrawnShape): void;
  /** Of what is being painted. Absent or false: nothing is. */
  fillHoles?(): boolean;
  /** What keys lead of the selected shape. Absent: nothing. */
  readonly keyPoint?: KeyPoint;
  undoPoint(): boolean;
  redoPoint(): boolean;
  /** Something is half drawn. */
  drawing(): boolean;
  /** A button is held for a gesture. */
  dragging(): boolean;
  cursor(): string;
  view(): ToolView;
  /** Another tool is taken (null: another frame). Absent: as `cancel`. */
  leave?(next: ToolId | null): void;
  /** The pointer was taken away in the middle of a gesture. Absent: as `cancel`. */
  interrupt?(): void;
}

/** Screen pixels a pointer may move between press and release of a click. */
export const dragThresholdPx = 4;

export const isFarther = (a: Point, b: Point, distancePx: number): boolean =>
  Math.hypot(a.x - b.x, a.y - b.y) > distancePx;

/** The pointer was taken away. */
export function interrupt(tool: Tool): void {
  if (tool.interrupt === undefined) tool.cancel();
  else tool.interrupt();
}

const never = (): boolean => false;

/** What tools have in common that do not draw. */
export const quietTool = {
  cancel: never,
  finish: never,
  undoPoint: never,
  redoPoint: never,
  drawing: never,
  dragging: never,
  view: (): ToolView => emptyToolView,
};
