import type { Keyframe } from '../../preload/contract/interpolation.ts';
import type { AnnotationSource, AttributeValue, ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { TextKey } from '../i18n/text-key.ts';

import type { RectangleMethod, ToolId } from './tool-kinds.ts';

export type { AttributeValue, RectangleMethod, ShapeType, ToolId };

/** Public types of the canvas engine; the engine itself stands in `canvas-engine.ts`. */

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
  /** A filter hides it: neither drawn nor hit nor selected. The scene says so, whatever a command brings along. */
  readonly filteredOut?: boolean;
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
   * The same as `clientId`: this record is what a track shows on this frame. A command that updates it means "set a
   * keyframe here"; one that creates it means "start a track here"; one that deletes it means "delete the track".
   */
  readonly trackId?: ClientId;
  /** Somebody set a keyframe here. */
  readonly keyframe?: boolean;
}

/** A keyframe of a track or of an element; its fields are the contract's, whose interpolation reads them. */
export interface TrackKeyframe extends Keyframe {
  /** Nobody drew it: it was computed where the track was cut for its job. */
  readonly border?: true | undefined;
}

/** What a track and the elements of a skeleton track have in common. */
export interface TrackPart {
  readonly clientId: ClientId;
  readonly labelId: number;
  /** Values that are the same on all frames. */
  readonly attributes: readonly AttributeValue[];
  /** By rising frame; at least one. */
  readonly keyframes: readonly TrackKeyframe[];
}

/** One object over many frames. Its shapes between keyframes are derived, never stored; see `tracks/track-shapes.ts`. */
export interface TrackRecord extends RecordBase, TrackPart {
  readonly kind: 'track';
  /** Of the first keyframe. */
  readonly frame: number;
  readonly pinned?: boolean;
  /** Skeletons: their elements in the label's order. */
  readonly elements?: readonly TrackPart[];
}

/** A tag of the whole frame: in scene and history, not drawn by the canvas. */
export interface TagRecord extends RecordBase {
  readonly kind: 'tag';
}

/** What a frame shows. */
export type SceneRecord = ShapeRecord | TagRecord;
/** What commands change. */
export type ObjectRecord = SceneRecord | TrackRecord;

export type RecordPatch = Partial<Omit<ShapeRecord, 'clientId' | 'kind'>>;

/** What changed, by id. `reset`: everything may have changed (another frame). */
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

/** `before` null: created. `after` null: deleted. Both records whole, so a change can be run both ways. */
export interface RecordChange {
  readonly clientId: ClientId;
  readonly before: ObjectRecord | null;
  readonly after: ObjectRecord | null;
}

/** One step of the history; plain JSON. Its changes may be on several frames; `frame` is the one to show for it. */
export interface Command {
  readonly id: string;
  readonly kind: CommandKind;
  readonly frame: number;
  /** A sentence for the person, for example `Moved rectangle "car"`. */
  readonly label: string;
  readonly changes: readonly RecordChange[];
  readonly deletion?: FrameDeletion | undefined;
}

/** A frame that was deleted or, with `deleted` false, restored. The screen does it. */
export interface FrameDeletion {
  readonly frame: number;
  readonly deleted: boolean;
}

export type CommandOrigin = 'do' | 'undo' | 'redo';

/** What `execute` takes: a command without its id; frame and label are filled in where absent. A label may count. */
export interface CommandInput {
  readonly kind: CommandKind;
  readonly frame?: number;
  readonly label?: string | ((changes: number) => string);
  /** One of several small ones, such as a push by an arrow key: those of one name that follow each other are one step. */
  readonly series?: string;
  readonly changes: readonly RecordChange[];
  readonly deletion?: FrameDeletion;
}

/** What an undo or redo was of. 'point': only the last point of the shape being drawn was taken back. */
export type HistoryStep = 'command' | 'point';

/** The label id of shapes whose label is still to come. */
export const noLabel = -1;

export interface ToolOptions {
  /**
   * Label of what is drawn. Drawing without one is refused with the `refused` event; with `noLabel` the shape is handed
   * out with the `unlabelled` event, and is neither in the scene nor in the history.
   */
  readonly labelId?: number;
  readonly attributes?: readonly AttributeValue[];
  /** New shapes get a `trackId`: each starts a track. */
  readonly asTrack?: boolean;
  /** 'corners' where absent. */
  readonly rectangleMethod?: RectangleMethod;
  /** Screen pixels after which the scissors set a point by themselves; 0: they never do. */
  readonly anchorDistance?: number;
  /** How far the scissors' polygon may be off the edge they found, in pixels as it was seen. */
  readonly wireTolerance?: number;
  /** Image pixels. */
  readonly brushDiameter?: number;
  readonly brushForm?: 'circle' | 'square';
  /** What is painted is taken from the other masks of the frame. */
  readonly takeBelow?: boolean;
  /** Where a new skeleton's elements are, as fractions of the drawn box. */
  readonly skeleton?: readonly { readonly labelId: number; readonly x: number; readonly y: number }[];
}

export interface CanvasLabel {
  readonly name: string;
  /** `#rrggbb` */
  readonly color: string;
  readonly type: ShapeType | 'any' | 'tag';
  /** Attributes whose values may differ between the frames of a track, by id. */
  readonly mutable?: readonly number[];
  /** What attributes are called, by id. */
  readonly attributeNames?: ReadonlyMap<number, string>;
  /** Its place among the labels: chooses its colour in a palette. */
  readonly order?: number;
  /** Skeleton labels: pairs of sublabel ids joined by a line. */
  readonly edges?: readonly (readonly [number, number])[];
}

/** What the plate beside a shape says, in this order. */
export const shapeTextParts = ['label', 'id', 'attributes', 'score', 'source'] as const;
export type ShapeTextPart = (typeof shapeTextParts)[number];

export interface Appearance {
  /** Fill of shapes that are not selected, 0 to 1. */
  readonly opacity: number;
  readonly selectedOpacity: number;
  readonly colorBy: 'label' | 'instance' | 'group' | 'track';
  /** 'safe': colours that colour-blind eyes tell apart, instead of the labels' own. */
  readonly palette: 'labels' | 'safe';
  /** A dark edge on both sides of each outline, so that it can be seen on every picture. */
  readonly halo: boolean;
  /** Of a skeleton's points. 'active': the chosen one, and those that are outside. */
  readonly pointNames: 'none' | 'active' | 'all';
  /** 'active': the hovered and the selected shapes. */
  readonly showLabels: 'none' | 'active' | 'all';
  readonly texts: readonly ShapeTextPart[];
  /** The whole picture in a corner while only a part of it is seen. The screen draws it. */
  readonly minimap: boolean;
  /** Where the selected tracks come from and go to. */
  readonly trackPath: boolean;
  readonly crosshair: boolean;
  /** 1: as it is. */
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly gamma: number;
  /** All brightnesses of the picture are spread, so that there are about as many of each. */
  readonly equalize: boolean;
  /** Off: square pixels at every zoom. On: smooth up to 4×, square above. */
  readonly smoothImage: boolean;
  /** Spacing in image pixels; null: no grid. */
  readonly grid: { readonly sizePx: number; readonly color: string; readonly opacity: number } | null;
  /** Screen pixels. */
  readonly strokePx: number;
  /** New points fall on points of other shapes, and go along a contour that they share. */
  readonly snapping: boolean;
  /** The wheel moves the view, and zooms with Ctrl. Off: it zooms, and moves the view sideways with Shift. */
  readonly wheelScrolls: boolean;
}

export type ViewRotation = 0 | 90 | 180 | 270;

/** `screen = rotate(image) × scale + offset`; offset in screen pixels. */
export interface View {
  /** Screen pixels per image pixel, 0.01 to 40. */
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

/** Pixels of a part of the picture, drawn as large as `size`, four bytes each; null while there is no picture. */
export type ReadPicture = (part: Box, size: Size) => Uint8ClampedArray | null;
/** One tile of a level; levels as in `preload/contract/picture-tiles.ts`. */
export interface TilePlace {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

/** A picture that is too large to be held whole: coarse at once, and tiles of what is looked at. */
export interface TiledPicture {
  /** All of it, upright, with fewer pixels. */
  readonly overview: ImageBitmap;
  /** How its tiles lie; null until they are made. */
  layout(): TileLayout | null;
  /** The tile, where it is there. */
  tile(place: TilePlace): ImageBitmap | undefined;
  /** What is looked at now, the most wanted first: it is fetched, and nothing else any more. Null: nobody looks. */
  want(places: readonly TilePlace[] | null): void;
  /** `place`: this tile has come; null: the layout has. */
  onCome(listener: (place: TilePlace | null) => void): () => void;
  /** Whether something that is wanted is still to come. */
  isWaiting(): boolean;
  /** One tile for whoever takes the picture away; he closes it. Waits until tiles are made. */
  read(place: TilePlace): Promise<ImageBitmap>;
  /** Waits until tiles are made. */
  readLayout(): Promise<TileLayout>;
}

export interface TileLayout {
  /** As the picture lies in its file: tiles are of that. */
  readonly stored: Size;
  /** Of EXIF, 1 to 8: the turn from there to what people see. */
  readonly orientation: number;
}

/** What the person gave a model function so far, image pixels. */
export interface Prompts {
  readonly positive: readonly Point[];
  readonly negative: readonly Point[];
  readonly box: Box | null;
}

/** What a tool has of a shape that is not finished. */
export interface HalfDrawnShape {
  /** Set so far, as a shape has them: flat, image pixels; of a mask its runs. */
  readonly points: readonly number[];
  /** It can be finished as it is. */
  readonly isComplete: boolean;
  /** The mask that is painted on; absent: a new shape. */
  readonly edited?: ClientId;
}
export interface HalfDrawn extends HalfDrawnShape {
  readonly tool: ToolId;
  readonly labelId: number | null;
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
  appearance: (appearance: Appearance) => void;
  drawStart: (tool: ToolId) => void;
  drawEnd: (tool: ToolId, outcome: 'done' | 'cancelled') => void;
  toolChange: (tool: ToolId, options: ToolOptions) => void;
  /** Another point of the selected shape is led by keys, or none. */
  keyPoint: () => void;
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

/** What a command's sentence is made of, for translation. */
export interface CommandSummary {
  readonly kind: CommandKind;
  readonly count: number;
  /** Where all changed records share them. */
  readonly type: ShapeType | 'tag' | 'track' | null;
  readonly labelName: string | null;
}

/** What stands in a text's place holders. */
export type TextValues = Readonly<Record<string, string | number>>;
