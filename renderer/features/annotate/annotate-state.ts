import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { ShapeRecord, ToolId, ToolOptions, TrackRecord } from '../../canvas/types.ts';
import type { FrameDisplay } from './frames/frame-display.ts';
import { keptChoice, keptDock, switchIsOn, type Dock } from './kept-switch.ts';
import type { MenuRequest } from './menus/menu-request.ts';
import type { Mode } from './modes/mode.ts';
import type { SaveStatus } from './saving/save-types.ts';

/** The picture of the frame that is wanted. */
export type Picture =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string };

/** Of a large picture: what is still to come of it, or why it does not come; null: nothing. */
export type Detail = { readonly kind: 'making' } | { readonly kind: 'failed'; readonly message: string } | null;

/** What a name is asked for: a drawing tool, or a tag. */
export type Naming = ToolId | 'tag';

/** What the inspector shows. */
export type Panel = 'mode' | 'objects' | 'labels' | 'appearance' | 'models' | 'guide';

/** Tabs: a mode's own part first, and then only what it needs. The guide has a button of its own. */
export function panelsOf(mode: Mode): readonly Exclude<Panel, 'guide'>[] {
  if (mode === 'standard') return ['objects', 'labels', 'appearance', 'models'];
  return mode === 'single' ? ['objects', 'appearance'] : ['mode', 'objects', 'appearance'];
}

/** What a mode opens with. */
export const firstPanel = (mode: Mode): Panel => (panelsOf(mode).includes('mode') ? 'mode' : 'objects');

/** Dialogs over an opened job. */
export type WorkspaceDialog = 'export' | 'import' | 'propagate' | 'shapes' | 'bulk' | 'statistics';

/** What the panels of the annotation screen show. Never changes on pointer moves. */
export interface AnnotateState {
  /** On screen now; task-relative. */
  readonly frame: number;
  /** False until the first frame is on screen. */
  readonly shown: boolean;
  /** On the way, or the same as `frame`. */
  readonly wantedFrame: number;
  readonly picture: Picture;
  readonly detail: Detail;
  /** Bands and values that are shown of the job's images. */
  readonly display: FrameDisplay;
  /** Why the frame's annotations could not be loaded. */
  readonly annotationsFailed: string | null;
  readonly labels: readonly Label[];
  readonly activeLabelId: number | null;
  readonly tool: ToolId;
  readonly toolOptions: ToolOptions;
  readonly panel: Panel;
  readonly mode: Mode;
  /** The open question for a name: what for, and the shapes that wait for it. */
  readonly naming: { readonly what: Naming; readonly shapes: readonly ShapeRecord[] } | null;
  /** What is drawn next starts a track. */
  readonly asTrack: boolean;
  /** Objects of any frame that are to become one track; null while none are collected. */
  readonly merging: readonly (ShapeRecord | TrackRecord)[] | null;
  readonly dock: Dock | null;
  readonly inspectorOpen: boolean;
  /** A menu that a list asked for; the canvas asks by itself. */
  readonly menu: MenuRequest | null;
  readonly playing: boolean;
  /** Times as fast as the video itself. */
  readonly speed: number;
  /** Frames that are played again and again, both included; null: once, to the end. */
  readonly loop: { readonly from: number; readonly to: number } | null;
  /** Frames that do not count: another set after each change. */
  readonly deleted: ReadonlySet<number>;
  /** Steps do not pass over them. */
  readonly showDeleted: boolean;
  readonly save: SaveStatus;
  /** What others do arrives; false: the service does not answer, and it is caught up with later. */
  readonly hearsOthers: boolean;
  /** False: the unsaved edits did not fit into the browser's store. */
  readonly journalKept: boolean;
}

/** The panel would lie over the picture: it opens when it is asked for. */
const isNarrowWindow = (): boolean => (globalThis.innerWidth ?? Infinity) < 800;

/** Whether steps pass over a frame. */
export const isSkipped = ({ deleted, showDeleted }: AnnotateState, frame: number): boolean =>
  !showDeleted && deleted.has(frame);

/** False while another frame is on its way: what is drawn then would land on the wrong one. */
export const frameIsShown = ({ frame, wantedFrame, shown }: AnnotateState): boolean => shown && frame === wantedFrame;

export const initialState = (frame: number, labels: readonly Label[], isVideo: boolean, mode: Mode): AnnotateState => ({
  frame,
  shown: false,
  wantedFrame: frame,
  picture: { kind: 'loading' },
  detail: null,
  display: {},
  annotationsFailed: null,
  labels,
  activeLabelId: null,
  tool: 'select',
  toolOptions: {},
  panel: firstPanel(mode),
  mode,
  naming: null,
  asTrack: isVideo,
  merging: null,
  dock: keptDock(isVideo),
  inspectorOpen: !switchIsOn('inspectorFolded', false) && !isNarrowWindow(),
  menu: null,
  playing: false,
  speed: 1,
  loop: null,
  deleted: new Set(),
  showDeleted: keptChoice('showDeleted'),
  save: { state: 'saved', unsaved: 0, refused: 0, clashes: [], failure: null },
  hearsOthers: true,
  journalKept: true,
});
