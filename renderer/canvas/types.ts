import type { Keyframe } from '../../preload/geometry/interpolation.ts';
import type { AnnotationSource, AttributeValue, ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { TextKey } from '../i18n/text-key.ts';

import type { RectangleMethod, ToolId } from './tool-kinds.ts';

export type { AttributeValue, RectangleMethod, ShapeType, ToolId };

/** Public types of the canvas engine; `canvas-engine.ts` has the engine itself. */

/** Created by the client and stable for the life of a record, across undo, redo and saving. */
export type ClientId = string;

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
  /** Last value from the screen. In commands it is only a hint; the screen's map is authoritative. */
  readonly serverId?: number;
  readonly frame: number;
  readonly labelId: number;
  /** 0 means no group. */
  readonly group: number;
  readonly source: AnnotationSource;
  readonly attributes: readonly AttributeValue[];
  /** Cannot be edited, dragged or deleted (except by a forced delete). Display state, never sent to the API. */
  readonly locked: boolean;
  /** Neither drawn nor hit. Display state, never sent to the API. */
  readonly hidden: boolean;
  /** Hidden by the filter: neither drawn nor hit nor selected. The scene sets it and ignores the value in commands. */
  readonly filteredOut?: boolean;
  /** A model's proposal, drawn dashed with its score until accepted. Not an annotation yet. */
  readonly suggestion?: boolean;
  /** Only for suggestions: its attributes are for the annotation with the same label and shape. */
  readonly suggestsAttributes?: boolean;
}

/** A shape on one frame. `points` follow the table in `preload/contract/schema/annotations.ts`. */
export interface ShapeRecord extends RecordBase {
  readonly kind: 'shape';
  readonly type: ShapeType;
  readonly points: readonly number[];
  /** Degrees, clockwise on screen, about the centre; rectangle and ellipse only. */
  readonly rotation: number;
  readonly occluded: boolean;
  /** A track's object that is not visible on this frame; not drawn. */
  readonly outside: boolean;
  readonly zOrder: number;
  /** 0 to 1. */
  readonly score: number;
  /** Cannot be dragged by its body; handles still work. */
  readonly pinned?: boolean;
  /** Only for skeletons: elements in the label's order. `points` is then empty. */
  readonly elements?: readonly ElementRecord[];
  /**
   * Equals `clientId`: this record is a track's shape on this frame. A command that updates it sets a keyframe here,
   * one that creates it starts a track here, one that deletes it deletes the track.
   */
  readonly trackId?: ClientId;
  readonly keyframe?: boolean;
}

/** Keyframe of a track or element. Its members are the contract's, because the contract's interpolation reads them. */
export interface TrackKeyframe extends Keyframe {
  /** Computed where the track was cut for its job, not drawn by a user. */
  readonly border?: true | undefined;
}

export interface TrackPart {
  readonly clientId: ClientId;
  readonly labelId: number;
  readonly attributes: readonly AttributeValue[];
  /** Sorted by frame; at least one. */
  readonly keyframes: readonly TrackKeyframe[];
}

/** One object over many frames. Shapes between keyframes are derived, never stored; see `tracks/track-shapes.ts`. */
export interface TrackRecord extends RecordBase, TrackPart {
  readonly kind: 'track';
  readonly frame: number;
  readonly pinned?: boolean;
  /** Only for skeletons: elements in the label's order. */
  readonly elements?: readonly TrackPart[];
}

/** A tag of a frame: in scene and history, not drawn by the canvas. */
export interface TagRecord extends RecordBase {
  readonly kind: 'tag';
}

export type SceneRecord = ShapeRecord | TagRecord;
export type ObjectRecord = SceneRecord | TrackRecord;

export type RecordPatch = Partial<Omit<ShapeRecord, 'clientId' | 'kind'>>;

/** Ids of changed records. `reset` means that everything may have changed (another frame). */
export interface SceneChange {
  readonly reset: boolean;
  readonly added: readonly ClientId[];
  readonly changed: readonly ClientId[];
  readonly removed: readonly ClientId[];
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
  | 'keyframe'
  | 'track'
  | 'paste'
  | 'frame'
  | 'other';

/** A null `before` creates, a null `after` deletes. Both records are complete, so the change can be reverted. */
export interface RecordChange {
  readonly clientId: ClientId;
  readonly before: ObjectRecord | null;
  readonly after: ObjectRecord | null;
}

/** One undo step; plain JSON. Its changes may be on several frames; `frame` is the one to show. */
export interface Command {
  readonly id: string;
  readonly kind: CommandKind;
  readonly frame: number;
  /** Text for the user, for example `Moved rectangle "car"`. */
  readonly label: string;
  readonly changes: readonly RecordChange[];
  readonly deletion?: FrameDeletion | undefined;
}

/** A deleted or, with `deleted` false, restored frame. The screen executes it. */
export interface FrameDeletion {
  readonly frame: number;
  readonly deleted: boolean;
}

export type CommandOrigin = 'do' | 'undo' | 'redo';

/** Input of `execute`: a command without id; frame and label have defaults. A label may contain a count. */
export interface CommandInput {
  readonly kind: CommandKind;
  readonly frame?: number;
  readonly label?: string | ((changes: number) => string);
  /** Consecutive commands with the same series, such as pushes by an arrow key, form one undo step. */
  readonly series?: string;
  readonly changes: readonly RecordChange[];
  readonly deletion?: FrameDeletion;
}

/** Kind of an undone or redone step. 'point' is only the last point of the draft. */
export type HistoryStep = 'command' | 'point';

export const noLabel = -1;

export interface ToolOptions {
  /**
   * Label of new shapes. Drawing without one is refused with the `refused` event. With `noLabel` the shape is passed to
   * the `unlabelled` event and is neither in the scene nor in the history.
   */
  readonly labelId?: number;
  readonly attributes?: readonly AttributeValue[];
  /** New shapes get a `trackId`: each starts a track. */
  readonly asTrack?: boolean;
  /** 'corners' by default. */
  readonly rectangleMethod?: RectangleMethod;
  /** Screen pixels after which the scissors set a point automatically; 0 disables it. */
  readonly anchorDistance?: number;
  /** Maximum distance of the scissors' polygon from the found edge, in pixels of the displayed resolution. */
  readonly wireTolerance?: number;
  /** Image pixels. */
  readonly brushDiameter?: number;
  readonly brushForm?: 'circle' | 'square';
  /** Removes painted pixels from the frame's other masks. */
  readonly takeBelow?: boolean;
  /** Positions of a new skeleton's elements as fractions of the drawn box. */
  readonly skeleton?: readonly { readonly labelId: number; readonly x: number; readonly y: number }[];
}

export interface CanvasLabel {
  readonly name: string;
  /** `#rrggbb` */
  readonly color: string;
  readonly type: ShapeType | 'any' | 'tag';
  /** Ids of attributes that may differ between the frames of a track. */
  readonly mutable?: readonly number[];
  readonly attributeNames?: ReadonlyMap<number, string>;
  /** Position among the labels, which selects its palette colour. */
  readonly order?: number;
  /** Only for skeletons: pairs of sublabel ids joined by a line. */
  readonly edges?: readonly (readonly [number, number])[];
}

/** Parts of the chip beside a shape, in order. */
export const shapeTextParts = ['label', 'id', 'attributes', 'score', 'source'] as const;
export type ShapeTextPart = (typeof shapeTextParts)[number];

export interface Appearance {
  /** Fill of unselected shapes, 0 to 1. */
  readonly opacity: number;
  readonly selectedOpacity: number;
  readonly colorBy: 'label' | 'instance' | 'group' | 'track';
  /** 'safe' replaces the labels' colours by ones that colour-blind users can distinguish. */
  readonly palette: 'labels' | 'safe';
  /** Dark edge on both sides of outlines for visibility on every image. */
  readonly halo: boolean;
  /** Names of a skeleton's points. 'active' means the chosen and the outside ones. */
  readonly pointNames: 'none' | 'active' | 'all';
  /** 'active' means the hovered and the selected shapes. */
  readonly showLabels: 'none' | 'active' | 'all';
  readonly texts: readonly ShapeTextPart[];
  /** Overview of the image in a corner while only a part is visible. The screen draws it. */
  readonly minimap: boolean;
  readonly trackPath: boolean;
  readonly crosshair: boolean;
  /** 1 is unchanged. */
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly gamma: number;
  readonly equalize: boolean;
  /** Off: square pixels at every zoom. On: smooth up to 4×, square above. */
  readonly smoothImage: boolean;
  /** Spacing in image pixels; null disables the grid. */
  readonly grid: { readonly sizePx: number; readonly color: string; readonly opacity: number } | null;
  /** Screen pixels. */
  readonly strokePx: number;
  /** New points snap to points of other shapes and follow a shared contour. */
  readonly snapping: boolean;
  /** True if the wheel scrolls and zooms with Ctrl; false if it zooms and scrolls sideways with Shift. */
  readonly wheelScrolls: boolean;
}

export type ViewRotation = 0 | 90 | 180 | 270;

/** `screen = rotate(image) × scale + offset`; offset in screen pixels. */
export interface View {
  /** Screen pixels per image pixel, 0.01 to 40. */
  readonly scale: number;
  readonly offsetX: number;
  readonly offsetY: number;
  /** Rotation of the view, clockwise; shapes keep their coordinates. */
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

/**
 * Anything that `drawImage` accepts. The engine reads it again on zooming, so do not close a bitmap while it is shown.
 */
export type ImageSource = ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | VideoFrame;

/** Pixels of a part of the image scaled to `size`, four bytes each; null without an image. */
export type ReadPicture = (part: Box, size: Size) => Uint8ClampedArray | null;
/** One tile of a level; levels as in `preload/geometry/image-tiles.ts`. */
export interface TilePlace {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

/** An image too large to hold completely: an overview at once, and tiles of the visible part. */
export interface TiledPicture {
  readonly overview: ImageBitmap;
  layout(): TileLayout | null;
  /** The tile, if loaded. */
  tile(place: TilePlace): ImageBitmap | undefined;
  /** Visible tiles, most urgent first; requests for others are cancelled. Null if the image is not displayed. */
  want(places: readonly TilePlace[] | null): void;
  /** `place` is a loaded tile; null means that the layout is available. */
  onCome(listener: (place: TilePlace | null) => void): () => void;
  isWaiting(): boolean;
  /** Loads a tile for export; the caller closes it. Waits until tiles are created. */
  read(place: TilePlace): Promise<ImageBitmap>;
  /** Waits until tiles are created. */
  readLayout(): Promise<TileLayout>;
}

/** A still image decoded in the size of the view. The complete image is decoded when a closer view or a tool needs it. */
export interface ReducedPicture {
  readonly reduced: ImageBitmap;
  /** The caller closes it. */
  readWhole(signal: AbortSignal): Promise<ImageBitmap>;
}

export interface TileLayout {
  /** Size of the image as stored in the file, which tiles refer to. */
  readonly stored: Size;
  /** EXIF orientation, 1 to 8, from the stored to the upright image. */
  readonly orientation: number;
}

/** Input for a model function so far, image pixels. */
export interface Prompts {
  readonly positive: readonly Point[];
  readonly negative: readonly Point[];
  readonly box: Box | null;
}

export interface DraftShape {
  /** Points so far in the shape's format: flat, image pixels; for a mask, its runs. */
  readonly points: readonly number[];
  readonly isComplete: boolean;
  /** The mask being painted; undefined for a new shape. */
  readonly edited?: ClientId;
}
export interface Draft extends DraftShape {
  readonly tool: ToolId;
  readonly labelId: number | null;
}

export interface ContextMenuRequest {
  readonly id: ClientId | null;
  readonly vertex: number | null;
  readonly screen: Point;
  readonly image: Point;
}

export interface EngineEvents {
  /** After an edit (`do`), undo or redo. `command` is the one that was run against the records. */
  command: (command: Command, origin: CommandOrigin) => void;
  selection: (ids: readonly ClientId[]) => void;
  hover: (id: ClientId | null) => void;
  /** Every pointer move, image coordinates; null when the pointer leaves. Write it to the DOM, not to React state. */
  cursor: (point: Point | null) => void;
  view: (view: View) => void;
  appearance: (appearance: Appearance) => void;
  drawStart: (tool: ToolId) => void;
  drawEnd: (tool: ToolId, outcome: 'done' | 'cancelled') => void;
  toolChange: (tool: ToolId, options: ToolOptions) => void;
  keyPoint: () => void;
  contextMenu: (request: ContextMenuRequest) => void;
  unlabelled: (shape: ShapeRecord) => void;
  /** An action was refused; the text tells the reason and the remedy. */
  refused: (why: TextKey, values?: TextValues) => void;
  /** Current mouse and key actions for a status line; null for the default. */
  hint: (text: TextKey | null) => void;
  /** The prompt tool's points changed. `finished` means that the user wants to save the result. */
  prompts: (prompts: Prompts, finished: boolean) => void;
}

export interface CommandSummary {
  readonly kind: CommandKind;
  readonly count: number;
  /** Set if all changed records share it. */
  readonly type: ShapeType | 'tag' | 'track' | null;
  readonly labelName: string | null;
}

export type TextValues = Readonly<Record<string, string | number>>;
