import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { ShapeRecord, ToolId, ToolOptions, TrackRecord } from '../../../canvas/types.ts';
import type { FrameDisplay } from './frames/frame-display.ts';
import { savedChoice, savedDock, isSwitchOn, type Dock } from './saved-switches.ts';
import type { MenuRequest } from './menu-request.ts';
import type { Mode } from './modes/mode.ts';
import type { SaveStatus } from './saving/save-types.ts';

export type Picture =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string };

export type Detail = { readonly kind: 'making' } | { readonly kind: 'failed'; readonly message: string } | null;

export type Naming = ToolId | 'tag';

export type Panel = 'mode' | 'objects' | 'labels' | 'appearance' | 'models' | 'guide';

/** Tabs of a mode: its own panel first. The guide has a separate button. */
export function panelsOf(mode: Mode): readonly Exclude<Panel, 'guide'>[] {
  if (mode === 'standard') return ['objects', 'labels', 'appearance', 'models'];
  return mode === 'single' ? ['objects', 'appearance'] : ['mode', 'objects', 'appearance'];
}

export const firstPanel = (mode: Mode): Panel => (panelsOf(mode).includes('mode') ? 'mode' : 'objects');

export type WorkspaceDialog = 'export' | 'import' | 'propagate' | 'shapes' | 'bulk' | 'statistics';

/** State of the annotation screen's panels. Never changes on pointer moves. */
export interface AnnotateState {
  /** The displayed frame, task-relative. */
  readonly frame: number;
  readonly shown: boolean;
  /** The frame that is loading, or the same as `frame`. */
  readonly wantedFrame: number;
  readonly picture: Picture;
  readonly detail: Detail;
  readonly display: FrameDisplay;
  readonly annotationsFailed: string | null;
  readonly labels: readonly Label[];
  readonly activeLabelId: number | null;
  readonly tool: ToolId;
  readonly toolOptions: ToolOptions;
  readonly panel: Panel;
  readonly mode: Mode;
  /** The open label prompt and the shapes that wait for it. */
  readonly naming: { readonly what: Naming; readonly shapes: readonly ShapeRecord[] } | null;
  readonly asTrack: boolean;
  /** Objects of any frame to merge into one track; null outside the merge mode. */
  readonly merging: readonly (ShapeRecord | TrackRecord)[] | null;
  readonly dock: Dock | null;
  readonly inspectorOpen: boolean;
  /** A menu requested by a list. The canvas opens its own menus. */
  readonly menu: MenuRequest | null;
  readonly playing: boolean;
  /** Factor of the video's own speed. */
  readonly speed: number;
  /** Range to repeat, both ends included; null plays once to the end. */
  readonly loop: { readonly from: number; readonly to: number } | null;
  /** Deleted frames. Every change creates another set. */
  readonly deleted: ReadonlySet<number>;
  /** Frame steps include deleted frames. */
  readonly showDeleted: boolean;
  readonly save: SaveStatus;
  /** Remote changes arrive; false while the service does not answer. */
  readonly hearsOthers: boolean;
  /** False if the unsaved edits did not fit into the browser's storage. */
  readonly journalKept: boolean;
}

/** In a narrow window the panel would cover the image, so it starts closed. */
const isNarrowWindow = (): boolean => (globalThis.innerWidth ?? Infinity) < 800;

export const isSkipped = ({ deleted, showDeleted }: AnnotateState, frame: number): boolean =>
  !showDeleted && deleted.has(frame);

/** False while another frame loads: a shape drawn then would land on the wrong frame. */
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
  dock: savedDock(isVideo),
  inspectorOpen: !isSwitchOn('inspectorFolded', false) && !isNarrowWindow(),
  menu: null,
  playing: false,
  speed: 1,
  loop: null,
  deleted: new Set(),
  showDeleted: savedChoice('showDeleted'),
  save: { state: 'saved', unsaved: 0, refused: 0, conflicts: [], failure: null },
  hearsOthers: true,
  journalKept: true,
});
