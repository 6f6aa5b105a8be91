import type { Coloured } from './appearance.ts';
import type { FrameConverter } from './layers/frame-converter.ts';
import type { FrameSizes } from './frame-guard.ts';
import type { History } from './history.ts';
import type { Scene } from './scene.ts';
import type { Selection } from './selection.ts';
import type { IsMutable } from './tracks/keyframe-edit.ts';
import type { KeyPoint } from './tools/tool.ts';
import type { Tracks } from './tracks/track-set.ts';
import type {
  Appearance,
  Box,
  CanvasLabel,
  ClientId,
  Command,
  CommandInput,
  CommandKind,
  CommandSummary,
  EngineEvents,
  Draft,
  DraftShape,
  HistoryStep,
  ImageSource,
  Point,
  RecordChange,
  RecordPatch,
  SceneRecord,
  Size,
  ReducedPicture,
  TiledPicture,
  ToolId,
  ToolOptions,
  TrackRecord,
  View,
} from './types.ts';

/**
 * API of the canvas for screens. `createEngine({ host })` of `engine.ts` creates it, `actions.ts` has its actions and
 * shortcuts.
 *
 * Use by a screen:
 *
 * 1. `setLabels`, `setImage`, `setFrameShapes(records, frame)`: when a job is opened, and on every change of frame.
 * 2. `setTool('rectangle', { labelId })`: the tool stays armed after each shape.
 * 3. `on('command', …)`: every edit of the user as plain data. The engine's scene already contains it; the screen
 * writes
 * it to its store (all frames) and to the API. Undo and redo arrive on the same event, as the command that was
 * run against the records, with `origin` 'undo' or 'redo'.
 * 4. Panels read `scene` and `selection` (both have `subscribe`) and edit through `execute`, `update`, `remove`,
 * so that their edits are in the same history.
 *
 * Coordinates: "image" is continuous image pixels as in the contract, "screen" is CSS pixels from the host's top left.
 */
export interface CanvasEngine {
  readonly scene: Scene;
  /** Tracks of all frames. `scene` has their shapes on the displayed frame. */
  readonly tracks: Tracks;
  readonly selection: Selection;
  readonly history: History;

  /** Shows a frame's image. The view stays if the size is the same; otherwise the image is fitted. */
  setImage(image: ImageSource | TiledPicture | ReducedPicture | null, size: Size): void;
  /** Prepares a video frame so that `setImage` shows it at once. */
  readonly frames: Pick<FrameConverter, 'isConverted' | 'prepare' | 'prepareSoon'> & {
    /** How often an image of this size can be halved without a visible difference once `setImage` shows it. */
    levelOf(size: Size): number;
  };
  /**
   * Replaces the scene with a frame's records. Keeps the history and the remaining selection, discards a draft (a mask
   * is finished).
   */
  setFrameShapes(records: readonly SceneRecord[], frame: number): void;
  /**
   * Sets the tracks of all frames; call it before `setFrameShapes`, which adds their shapes. On `deleted` frames
   * nothing is visible and keyframes are ignored.
   */
  setTracks(tracks: readonly TrackRecord[], deleted: ReadonlySet<number>): void;
  readonly isMutable: IsMutable;
  /** If true, refuses edits, undo and redo with a notice; hiding and locking work. */
  setReadOnly(readOnly: boolean): void;
  setLabels(labels: ReadonlyMap<number, CanvasLabel>): void;
  setAppearance(appearance: Partial<Appearance>): void;
  getAppearance(): Appearance;

  /** `options` are merged into the tool's earlier ones. */
  setTool(tool: ToolId, options?: ToolOptions): void;
  getTool(): { readonly id: ToolId; readonly options: ToolOptions; readonly drawing: boolean };
  lastDrawTool(): ToolId;
  /** Creates a shape of the armed tool in the image centre for keyboard users; no effect for point tools. */
  placeShape(): void;
  finishDrawing(): void;
  /** The draft; null if there is none that could be continued. */
  draft(): Draft | null;
  resumeDrawing(shape: DraftShape): void;
  cancelDrawing(): void;

  /** Runs an edit and stores it in the history. Returns the command, or null if nothing would change. */
  execute(input: CommandInput): Command | null;
  /**
   * Patches records of this frame; a function computes the patch per record. Skips locked ones unless the patch sets
   * `locked` or `hidden`.
   */
  update(
    ids: readonly ClientId[],
    patch: RecordPatch | ((record: SceneRecord) => RecordPatch),
    kind?: CommandKind,
  ): Command | null;
  /** Deletes records of this frame; locked ones only with `force`. */
  remove(ids: readonly ClientId[], options?: { readonly force?: boolean }): Command | null;
  /**
   * Pastes copies of records as new objects: new ids, no server ids, no proposals. A copy of a track's shape starts a
   * new track. Copies from this frame are offset, and all are moved inside the image. `inPlace` keeps positions; parts
   * outside the image are cut or dropped.
   */
  paste(records: readonly SceneRecord[], inPlace?: boolean): Command | null;
  /** Applies to the mask being painted or, without one, to the selected masks. */
  fillHoles(): void;
  /** Moves the selected shapes, or the point that keys control, by image pixels. */
  nudge(deltaX: number, deltaY: number): Command | null;
  /** Moves the lower right corner of the selected boxes by image pixels. */
  grow(deltaX: number, deltaY: number): Command | null;
  /**
   * Updates records without a command (server ids after a save, interpolated shapes). Ignores records of other frames.
   */
  patchScene(upsert: readonly SceneRecord[], remove?: readonly ClientId[]): void;
  /**
   * Applies remote changes of any frame, including tracks. Keeps selection and draft; drops undo steps on the same
   * objects.
   */
  showChanges(changes: readonly RecordChange[]): void;
  /** Draws, hits and selects only objects that pass; edited objects stay visible. Null disables the filter. */
  setFilter(passes: ((record: SceneRecord) => boolean) | null): void;
  /** Null if there is nothing to undo. While drawing, removes the last point. */
  undo(): HistoryStep | null;
  redo(): HistoryStep | null;

  fit(): void;
  zoomTo(box: Box): void;
  /** `at` is the fixed screen point, by default the centre. */
  zoomBy(factor: number, at?: Point): void;
  setScale(scale: number): void;
  panBy(deltaX: number, deltaY: number): void;
  rotateView(direction: 'clockwise' | 'counterclockwise'): void;
  focusShape(id: ClientId, options?: { readonly zoom?: boolean }): void;
  getView(): View;
  toImage(screen: Point): Point;
  toScreen(image: Point): Point;

  /** Highlights a shape that is hovered elsewhere, such as in a list. */
  setHover(id: ClientId | null): void;
  getHover(): ClientId | null;
  /** True while the pointer drags or a draft exists; for key handlers. */
  isBusy(): boolean;
  /** Cursor for keyboard drawing, moved by image pixels. A pointer move hides it. */
  readonly keyCursor: { move(deltaX: number, deltaY: number): void; press(): void; isOn(): boolean };
  /** The point of the selected shape that keys move; null while another tool is armed. */
  keyPoint(): KeyPoint | null;
  /** True if the armed tool supports `placeShape`. */
  canPlaceShape(): boolean;
  colorOf(record: Coloured): string;
  /** Draws the image without shapes, adjusted as displayed, scaled by `scale`. False without an image. */
  drawPicture(target: OffscreenCanvasRenderingContext2D, scale: number): boolean;
  /** PNG of image and shapes as displayed, for reports and tests. */
  snapshot(): Promise<Blob>;
  /** The same as SVG: editable paths over the embedded image. */
  snapshotSvg(): Promise<Blob>;
  /** True if no drawing is pending. */
  isAtRest(): boolean;
  on<Name extends keyof EngineEvents>(event: Name, listener: EngineEvents[Name]): () => void;
  destroy(): void;
}

export interface EngineOptions {
  /** A positioned element with a size; the engine fills it and follows its size. */
  readonly host: HTMLElement;
  /** Texts of commands; by default their kind. */
  readonly describeCommand?: (summary: CommandSummary) => string;
  /** Sizes that objects are fitted to; by default only the displayed image. */
  readonly frames?: FrameSizes;
}
