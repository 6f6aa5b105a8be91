import type { MaskPainting } from '../geometry/mask-painting.ts';
import type { Pick } from '../hit-test.ts';
import type { EditableScene } from '../scene.ts';
import type { Geometry, Handle, ShapeContext } from '../shapes/behaviour.ts';
import type {
  Appearance,
  Box,
  ClientId,
  Command,
  CommandInput,
  ContextMenuRequest,
  Point,
  Prompts,
  Selection,
  ShapeRecord,
  ShapeType,
  Size,
  ToolId,
  ToolOptions,
  View,
} from '../types.ts';

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
  /** One English line for the person: what the keys do now. */
  readonly hint: string;
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
  hint: '',
};

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

/** What tools may do. */
export interface ToolHost {
  readonly scene: EditableScene;
  readonly selection: Selection;
  view(): View;
  imageSize(): Size;
  appearance(): Appearance;
  options(): ToolOptions;
  context(): ShapeContext;
  pick(point: Point): Pick | null;
  pickHandle(shape: ShapeRecord, point: Point): Handle | null;
  inBox(box: Box): ClientId[];
  hover(): ClientId | null;
  setHover(id: ClientId | null): void;
  /** A record with the tool's label; null, and the person is told, where the label is missing or does not allow it. */
  newShape(type: ShapeType, geometry: Geometry): ShapeRecord | null;
  /** The same without a check, for showing what is being drawn. */
  draftShape(type: ShapeType, geometry: Geometry): ShapeRecord;
  newId(): ClientId;
  /** Runs the command; a created shape becomes the selection. */
  commit(input: CommandInput): Command | null;
  /** 'active': shapes being edited. 'overlay': everything that follows the pointer. */
  refresh(layer: 'active' | 'overlay'): void;
  drawStarted(): void;
  drawEnded(outcome: 'done' | 'cancelled'): void;
  refuse(sentence: string): void;
  panBy(dx: number, dy: number): void;
  zoomTo(box: Box): void;
  zoomBy(factor: number, at: Point): void;
  backToPreviousTool(): void;
  contextMenu(request: ContextMenuRequest): void;
  prompts(prompts: Prompts, finished: boolean): void;
}

/** Screen pixels a pointer may move between press and release of a click. */
export const dragThresholdPx = 4;

export const isFarther = (a: Point, b: Point, distancePx: number): boolean =>
  Math.hypot(a.x - b.x, a.y - b.y) > distancePx;

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
