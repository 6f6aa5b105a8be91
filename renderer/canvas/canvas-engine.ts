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
  HalfDrawn,
  HalfDrawnShape,
  HistoryStep,
  ImageSource,
  Point,
  RecordChange,
  RecordPatch,
  SceneRecord,
  Size,
  TiledPicture,
  ToolId,
  ToolOptions,
  TrackRecord,
  View,
} from './types.ts';

/**
 * What a screen holds of the canvas. `engine.ts` makes one (`createEngine({ host })`), `actions.ts` has the table of
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
export interface CanvasEngine {
  readonly scene: Scene;
  /** Of all frames. `scene` has what the frame on screen shows of them. */
  readonly tracks: Tracks;
  readonly selection: Selection;
  readonly history: History;

  /** Show a frame's picture. Same size as before: the view stays; another size: the image is fitted. */
  setImage(image: ImageSource | TiledPicture | null, size: Size): void;
  /** Gets a video's frame ready for `setImage`, which shows it at once then. */
  readonly frames: Pick<FrameConverter, 'isConverted' | 'prepare' | 'prepareSoon'>;
  /** Replace the scene with a frame's records. Keeps the history, drops an unfinished drawing (a mask is finished), keeps what it can of the selection. */
  setFrameShapes(records: readonly SceneRecord[], frame: number): void;
  /**
   * The tracks of all frames, before `setFrameShapes`: what the frame shows of them is added to the records given there.
   * On `deleted` frames nothing is seen, and keyframes do not count.
   */
  setTracks(tracks: readonly TrackRecord[], deleted: ReadonlySet<number>): void;
  /** As the labels say. */
  readonly isMutable: IsMutable;
  /** On: every edit, undo and redo is refused with its reason; hiding and locking are not. */
  setReadOnly(readOnly: boolean): void;
  setLabels(labels: ReadonlyMap<number, CanvasLabel>): void;
  setAppearance(appearance: Partial<Appearance>): void;
  getAppearance(): Appearance;

  /** `options` replace the earlier ones of that tool where given. */
  setTool(tool: ToolId, options?: ToolOptions): void;
  getTool(): { readonly id: ToolId; readonly options: ToolOptions; readonly drawing: boolean };
  /** The drawing tool used last, for "draw again". */
  lastDrawTool(): ToolId;
  /** A shape of the armed tool in the middle of the picture, for who draws by keys; nothing for tools of points. */
  placeShape(): void;
  finishDrawing(): void;
  /** What is half drawn; null: nothing, or nothing that could be gone on with. */
  halfDrawn(): HalfDrawn | null;
  /** Goes on with it, by the tool that is current now. */
  resumeDrawing(shape: HalfDrawnShape): void;
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
   * Copies of records, of any frame, on this frame, as new objects: new ids, no server ids, no proposals. A copy of a
   * track's shape starts a track of its own. What came from this frame is set off a little, and all of it is moved inside
   * the image; `inPlace`: it stays where it was, and what does not fit is cut or left out.
   */
  paste(records: readonly SceneRecord[], inPlace?: boolean): Command | null;
  /** Of the mask that is being painted or, where none is, of the selected masks. */
  fillHoles(): void;
  /** Moves the selected shapes by image pixels, or the one point that keys lead. */
  nudge(deltaX: number, deltaY: number): Command | null;
  /** Moves the lower right corner of the selected boxes by image pixels. */
  grow(deltaX: number, deltaY: number): Command | null;
  /**
   * Records changed by somebody else (server ids after a save, interpolated shapes): no command, no history.
   * Records of other frames are ignored.
   */
  patchScene(upsert: readonly SceneRecord[], remove?: readonly ClientId[]): void;
  /**
   * What others did to objects of any frame, tracks among them. What is selected or half drawn stays; what was done here
   * to the same objects before cannot be taken back any more.
   */
  showChanges(changes: readonly RecordChange[]): void;
  /** Only objects that pass are drawn, hit and selected; what is edited meanwhile stays in sight. Null: all of them. */
  setFilter(passes: ((record: SceneRecord) => boolean) | null): void;
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
  focusShape(id: ClientId, options?: { readonly zoom?: boolean }): void;
  getView(): View;
  toImage(screen: Point): Point;
  toScreen(image: Point): Point;

  /** Highlight a shape from outside (a row of the list is hovered). */
  setHover(id: ClientId | null): void;
  getHover(): ClientId | null;
  /** For key handlers: true while the pointer drags something or a shape is half drawn. */
  isBusy(): boolean;
  /** The cursor of who draws by keys: moved by image pixels, and pressed. It goes when the pointer moves. */
  readonly keyCursor: { move(deltaX: number, deltaY: number): void; press(): void; isOn(): boolean };
  /** The point of the selected shape that keys lead; null while another tool is armed. */
  keyPoint(): KeyPoint | null;
  /** Whether the armed tool can place a whole shape by itself: `placeShape`. */
  canPlaceShape(): boolean;
  /** What an object is drawn in. */
  colorOf(record: Coloured): string;
  /** The picture alone, adjusted as shown, `scale` times as large. False: there is none. */
  drawPicture(target: OffscreenCanvasRenderingContext2D, scale: number): boolean;
  /** A PNG of image and shapes as shown, for reports and tests. */
  snapshot(): Promise<Blob>;
  /** The same as SVG: shapes as paths that other programs edit, the image inside. */
  snapshotSvg(): Promise<Blob>;
  /** Whether everything that was asked for is drawn. */
  isAtRest(): boolean;
  on<Name extends keyof EngineEvents>(event: Name, listener: EngineEvents[Name]): () => void;
  destroy(): void;
}

export interface EngineOptions {
  /** A positioned element with a size; the engine fills it and follows its size. */
  readonly host: HTMLElement;
  /** Sentences of commands; their kind where absent. */
  readonly describeCommand?: (summary: CommandSummary) => string;
  /** Objects are fitted to these; absent: those of the shown frame to its image. */
  readonly frames?: FrameSizes;
}
