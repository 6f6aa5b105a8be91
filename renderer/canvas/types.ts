import type { AnnotationSource, AttributeValue, ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { TextKey } from '../i18n/text-key.ts';

import type { ToolId } from './tool-kinds.ts';

export type { AttributeValue, ShapeType, ToolId };

/**
 * Public types of the canvas engine. `engine.ts` makes one (`createEngine({ host })`), `actions.ts` has the table of
 * actions and shortcuts.
 *
 * How a screen uses it:
 *
 * 1. `setLabels`, `setImage`, `setFrameShapes(records, frame)`: on opening, and again on every change of frame.
 * 2. `setTool('rectangle', { labelId })`: the tool stays armed after each shape.
 * 3. `on('command', …)`: every edit of the person, as plain data. The engine's scene shows it already; the screen writes
 *    it to its own store (all frames) and to the API. Undo and redo arrive on the same event, as the command that was
 *    run against the records, with `origin` 'undo' or 'redo'.
 * 4. Panels read `scene` and `selection` (both have `subscribe`) and edit through `execute`, `update`, `remove`,
 *    so that their edits are in the same history.
 *
 * Coordinates: "image" is continuous image pixels as in the contract, "screen" is CSS pixels from the host's top left.
 */

/** Made by the client, kept for the life of a record; survives undo, redo and saving. */
export type ClientId = string;

/** One element (keypoint) of a skeleton. */
export interface ElementRecord {
  readonly clientId: ClientId;
  readonly serverId?: number;
  readonly type: ShapeType;
  readonly labelId: number;
  readonly points: readonly number[];
  readonly rotation: number;
  readonly occluded: boolean;
  readonly outside: boolean;
  readonly zOrder: number;
  readonly attributes: readonly AttributeValue[];
}

interface RecordBase {
  readonly clientId: ClientId;
  /** As last told by the screen. In commands it is a hint only: the screen's own map is the truth. */
  readonly serverId?: number;
  readonly frame: number;
  readonly labelId: number;
  /** 0: no group. */
  readonly group: number;
  readonly source: AnnotationSource;
  readonly attributes: readonly AttributeValue[];
  /** Cannot be edited, dragged or deleted (except by a forced delete). Display state, never sent to the API. */
  readonly locked: boolean;
  /** Not drawn, not hit. Display state, never sent to the API. */
  readonly hidden: boolean;
  /** A model's proposal: drawn dashed with its score until accepted. It is no annotation yet. */
  readonly suggestion?: boolean;
}

/** A shape on one frame. `points` follow the table in `preload/contract/schema/annotations.ts`. */
export interface ShapeRecord extends RecordBase {
  readonly kind: 'shape';
  readonly type: ShapeType;
  readonly points: readonly number[];
  /** Degrees, clockwise on screen, about the centre; rectangle and ellipse only. */
  readonly rotation: number;
  readonly occluded: boolean;
  /** A track's object that is not visible on this frame: not drawn. */
  readonly outside: boolean;
  readonly zOrder: number;
  /** 0 to 1. */
  readonly score: number;
  /** Cannot be dragged by its body; handles still work. */
  readonly pinned?: boolean;
  /** Skeletons: their elements in the label's order. `points` is then empty. */
  readonly elements?: readonly ElementRecord[];
  /**
   * This record is what a track shows on this frame. A command that updates it means "set a keyframe here"; one that
   * creates it means "start a track here"; one that deletes it means "delete the track".
   */
  readonly trackId?: ClientId;
  readonly keyframe?: boolean;
}

/** A tag of the whole frame: in scene and history, not drawn by the canvas. */
export interface TagRecord extends RecordBase {
  readonly kind: 'tag';
}

export type SceneRecord = ShapeRecord | TagRecord;

export type RecordPatch = Partial<Omit<ShapeRecord, 'clientId' | 'kind'>>;

/** What changed, by id. `reset`: everything may have changed (another frame). */
export interface SceneChange {
  readonly reset: boolean;
  readonly added: readonly ClientId[];
  readonly changed: readonly ClientId[];
  readonly removed: readonly ClientId[];
}

/** The records of the frame on screen. The truth; everything drawn is a view of it. */
export interface Scene {
  /** Grows with every change: a snapshot value for `useSyncExternalStore`. */
  readonly version: number;
  readonly frame: number;
  readonly size: number;
  get(id: ClientId): SceneRecord | undefined;
  getShape(id: ClientId): ShapeRecord | undefined;
  /** In drawing order: z order, then the order of creation. The same array until the next change. */
  all(): readonly SceneRecord[];
  /** Called after each change, synchronously. Returns the unsubscribe function. */
  subscribe(listener: (change: SceneChange) => void): () => void;
}

export interface Selection {
  /** The same array until the selection changes. The last one is the primary one. */
  ids(): readonly ClientId[];
  has(id: ClientId): boolean;
  set(ids: readonly ClientId[]): void;
  add(ids: readonly ClientId[]): void;
  toggle(id: ClientId): void;
  clear(): void;
  /** Every shape that can be seen and is not locked. */
  all(): void;
  subscribe(listener: (ids: readonly ClientId[]) => void): () => void;
}

export type CommandKind =
  | 'create'
  | 'delete'
  | 'move'
  | 'resize'
  | 'rotate'
  | 'vertex'
  | 'mask'
  | 'label'
  | 'attributes'
  | 'order'
  | 'group'
  | 'state'
  | 'display'
  | 'paste'
  | 'other';

/** `before` null: created. `after` null: deleted. Both records whole, so a change can be run both ways. */
export interface RecordChange {
  readonly clientId: ClientId;
  readonly before: SceneRecord | null;
  readonly after: SceneRecord | null;
}

/** One step of the history; plain JSON. Its changes may be on several frames; `frame` is the one to show for it. */
export interface Command {
  readonly id: string;
  readonly kind: CommandKind;
  readonly frame: number;
  /** A sentence for the person, for example `Moved rectangle "car"`. */
  readonly label: string;
  readonly changes: readonly RecordChange[];
}

export type CommandOrigin = 'do' | 'undo' | 'redo';

/** What `execute` takes: a command without its id; frame and label are filled in where absent. */
export interface CommandInput {
  readonly kind: CommandKind;
  readonly frame?: number;
  readonly label?: string;
  readonly changes: readonly RecordChange[];
}

/** What an undo or redo did. `kind` 'point': only the last point of the shape being drawn was taken back. */
export interface HistoryStep {
  readonly kind: 'command' | 'point';
  readonly frame: number;
  readonly ids: readonly ClientId[];
  /** As in the history, not inverted. Null for kind 'point'. */
  readonly command: Command | null;
}

/** Commands of all frames in the order in which they were done, without a limit. */
export interface History {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The command that the next undo takes back: its frame tells whether the screen has to go elsewhere. */
  peekUndo(): Command | null;
  peekRedo(): Command | null;
  /** All commands; the first `position` of them are in force, the rest can be redone. */
  list(): { readonly commands: readonly Command[]; readonly position: number };
  /** Forget everything (another job was opened). */
  clear(): void;
  /** Continue a stored history (a journal read back). */
  restore(commands: readonly Command[], position: number): void;
  subscribe(listener: () => void): () => void;
}

/** The label id of shapes whose label is still to come. */
export const noLabel = -1;

export interface ToolOptions {
  /**
   * Label of what is drawn. Drawing without one is refused with the `refused` event; with `noLabel` the shape is handed
   * out with the `unlabelled` event, and is neither in the scene nor in the history.
   */
  readonly labelId?: number;
  readonly attributes?: readonly AttributeValue[];
  readonly group?: number;
  /** 0 where absent. */
  readonly zOrder?: number;
  readonly occluded?: boolean;
  /** New shapes get a `trackId`: each starts a track. */
  readonly asTrack?: boolean;
  /** Polygon, polyline and points finish by themselves at this count. */
  readonly pointCount?: number;
  /** Image pixels. */
  readonly brushDiameter?: number;
  readonly brushForm?: 'circle' | 'square';
  /** Where a new skeleton's elements are, as fractions of the drawn box. */
  readonly skeleton?: readonly { readonly labelId: number; readonly x: number; readonly y: number }[];
}

export interface CanvasLabel {
  readonly name: string;
  /** `#rrggbb` */
  readonly color: string;
  readonly type: ShapeType | 'any' | 'tag';
  /** Skeleton labels: pairs of sublabel ids joined by a line. */
  readonly edges?: readonly (readonly [number, number])[];
}

export interface Appearance {
  /** Fill of shapes that are not selected, 0 to 1. */
  readonly opacity: number;
  readonly selectedOpacity: number;
  readonly colorBy: 'label' | 'instance' | 'group';
  /** One colour for all outlines instead of the shape's own. */
  readonly outlineColor: string | null;
  /** 'active': the hovered and the selected shapes. */
  readonly showLabels: 'none' | 'active' | 'all';
  readonly crosshair: boolean;
  /** CSS colour of the crosshair's core; it always has a black edge. */
  readonly crosshairColor: string;
  /** 1: as it is. */
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly gamma: number;
  /** Off: square pixels at every zoom. On: smooth up to 4×, square above. */
  readonly smoothImage: boolean;
  /** Spacing in image pixels; null: no grid. */
  readonly grid: { readonly sizePx: number; readonly color: string; readonly opacity: number } | null;
  /** Screen pixels. */
  readonly handleSizePx: number;
  readonly strokePx: number;
  /** Keep drawn and dragged shapes inside the image. */
  readonly clampToImage: boolean;
}

export type ViewRotation = 0 | 90 | 180 | 270;

/** `screen = rotate(image) × scale + offset`; offset in screen pixels. */
export interface View {
  /** Screen pixels per image pixel, 0.05 to 40. */
  readonly scale: number;
  readonly offsetX: number;
  readonly offsetY: number;
  /** Of the view, clockwise; shapes keep their coordinates. */
  readonly rotation: ViewRotation;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Anything that `drawImage` takes. The engine reads it again on zooming: do not close a bitmap while it is shown. */
export type ImageSource = ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | VideoFrame;

/** What the person gave a model function so far, image pixels. */
export interface Prompts {
  readonly positive: readonly Point[];
  readonly negative: readonly Point[];
  readonly box: Box | null;
}

export interface ContextMenuRequest {
  readonly id: ClientId | null;
  /** Index of the vertex under the pointer. */
  readonly vertex: number | null;
  readonly screen: Point;
  readonly image: Point;
}

export interface EngineEvents {
  /** An edit was made (`do`), taken back or made again. `command` is what was run against the records. */
  command: (command: Command, origin: CommandOrigin) => void;
  selection: (ids: readonly ClientId[]) => void;
  hover: (id: ClientId | null) => void;
  /** Every pointer move, image coordinates; null: the pointer left. Write it to the DOM, not to React state. */
  cursor: (point: Point | null) => void;
  view: (view: View) => void;
  drawStart: (tool: ToolId) => void;
  drawEnd: (tool: ToolId, outcome: 'done' | 'cancelled') => void;
  toolChange: (tool: ToolId, options: ToolOptions) => void;
  contextMenu: (request: ContextMenuRequest) => void;
  /** A shape was drawn whose label is still to come. */
  unlabelled: (shape: ShapeRecord) => void;
  /** Something the person tried cannot be done; the text says why and what to do. */
  refused: (why: TextKey, values?: TextValues) => void;
  /** What the mouse and keys do now; for a status line. Null: nothing special. */
  hint: (text: TextKey | null) => void;
  /** The prompt tool's points changed. `finished`: the person asked for the result to be kept. */
  prompts: (prompts: Prompts, finished: boolean) => void;
}

export interface CanvasEngine {
  readonly scene: Scene;
  readonly selection: Selection;
  readonly history: History;

  /** Show a frame's picture. Same size as before: the view stays; another size: the image is fitted. */
  setImage(image: ImageSource | null, size: Size): void;
  /** Replace the scene with a frame's records. Keeps the history, drops an unfinished drawing (a mask is finished), keeps what it can of the selection. */
  setFrameShapes(records: readonly SceneRecord[], frame: number): void;
  setLabels(labels: ReadonlyMap<number, CanvasLabel>): void;
  setAppearance(appearance: Partial<Appearance>): void;
  getAppearance(): Appearance;

  /** `options` replace the earlier ones of that tool where given. */
  setTool(tool: ToolId, options?: ToolOptions): void;
  getTool(): { readonly id: ToolId; readonly options: ToolOptions; readonly drawing: boolean };
  /** The drawing tool used last, for "draw again". */
  lastDrawTool(): ToolId;
  finishDrawing(): void;
  cancelDrawing(): void;

  /** Run an edit and store it in the history. Returns the command, or null when it would change nothing. */
  execute(input: CommandInput): Command | null;
  /**
   * Change some fields of records of this frame; a function says them for each record. Locked ones are left out, unless
   * the patch is about `locked` or `hidden`.
   */
  update(
    ids: readonly ClientId[],
    patch: RecordPatch | ((record: SceneRecord) => RecordPatch),
    kind?: CommandKind,
  ): Command | null;
  /** Delete records of this frame; locked ones only with `force`. */
  remove(ids: readonly ClientId[], options?: { readonly force?: boolean }): Command | null;
  /**
   * Copies of records, of any frame, on this frame, as new objects: new ids, no server ids, not parts of a track, no
   * proposals. What came from this frame is set off a little; everything is kept inside the image.
   */
  paste(records: readonly SceneRecord[]): Command | null;
  /** Moves the selected shapes by image pixels. */
  nudge(deltaX: number, deltaY: number): Command | null;
  /**
   * Records changed by somebody else (server ids after a save, interpolated shapes): no command, no history.
   * Records of other frames are ignored.
   */
  patchScene(upsert: readonly SceneRecord[], remove?: readonly ClientId[]): void;
  /** Null: nothing to take back. While drawing it takes back the last point. */
  undo(): HistoryStep | null;
  redo(): HistoryStep | null;

  /** The whole image in the host. */
  fit(): void;
  /** Centre an image box, with a margin. */
  zoomTo(box: Box): void;
  /** `at`: the screen point that stays where it is; the middle where absent. */
  zoomBy(factor: number, at?: Point): void;
  setScale(scale: number): void;
  panBy(deltaX: number, deltaY: number): void;
  rotateView(direction: 'clockwise' | 'counterclockwise'): void;
  /** Select a shape and bring it into view. */
  focusShape(id: ClientId, options?: { readonly zoom?: boolean; readonly select?: boolean }): void;
  getView(): View;
  setView(view: View): void;
  toImage(screen: Point): Point;
  toScreen(image: Point): Point;

  /** Highlight a shape from outside (a row of the list is hovered). */
  setHover(id: ClientId | null): void;
  getHover(): ClientId | null;
  /** For key handlers: true while the pointer drags something or a shape is half drawn. */
  isBusy(): boolean;
  /** A PNG of image and shapes as shown, for reports and tests. */
  snapshot(): Promise<Blob>;
  /** Whether everything that was asked for is drawn. */
  isAtRest(): boolean;
  on<Name extends keyof EngineEvents>(event: Name, listener: EngineEvents[Name]): () => void;
  destroy(): void;
}

/** What a command's sentence is made of, for translation. */
export interface CommandSummary {
  readonly kind: CommandKind;
  readonly count: number;
  /** Where all changed records share them. */
  readonly type: ShapeType | 'tag' | null;
  readonly labelName: string | null;
}

/** What stands in a text's place holders. */
export type TextValues = Readonly<Record<string, string | number>>;

export interface EngineOptions {
  /** A positioned element with a size; the engine fills it and follows its size. */
  readonly host: HTMLElement;
  /** Sentences of commands; their kind where absent. */
  readonly describeCommand?: (summary: CommandSummary) => string;
  /** Text beside a shape; its label's name where absent. An empty string hides it. */
  readonly shapeText?: (record: ShapeRecord, label: CanvasLabel | undefined) => string;
  readonly newId?: () => ClientId;
}
