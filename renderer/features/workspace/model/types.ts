import type { StoreApi } from 'zustand/vanilla';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import type { ClientId, Point, ShapeRecord, ToolId, ToolOptions, TrackRecord } from '../../../canvas/types.ts';
import type { SaveStatus } from './saving/save-types.ts';
import { isSwitchOn, savedChoice, savedDock, type Dock } from './saved-switches.ts';

export const modes = ['standard', 'review', 'attributes', 'tags', 'single'] as const;
export type Mode = (typeof modes)[number];

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

/** Display of images with more bands or bits than a screen shows. Undefined members use the default. */
export interface FrameDisplay {
  /** One band as gray, or three as red, green and blue; zero-based. */
  readonly bands?: readonly number[] | undefined;
  /** Percentiles of the values shown as black and white. */
  readonly window?: readonly [low: number, high: number] | undefined;
}

export interface MenuRequest {
  /** Null for the frame menu. */
  readonly id: ClientId | null;
  readonly vertex: number | null;
  readonly at: Point;
  /** Origin of `at`. */
  readonly within: 'window' | 'parent';
}

/** State of the annotation screen's panels. Never changes on pointer moves. */
export interface AnnotateState {
  /** The displayed frame, task-relative. */
  readonly frame: number;
  readonly shown: boolean;
  /** The frame that is loading, or the same as `frame`. */
  readonly wantedFrame: number;
  /** `wantedFrame` after the repaint of a step, for parts that must not delay the image. */
  readonly settledFrame: number;
  readonly picture: Picture;
  readonly detail: Detail;
  readonly display: FrameDisplay;
  readonly annotationsFailed: string | null;
  /** Images of a folder that has just been opened; null when all are read. */
  readonly reading: { readonly read: number; readonly total: number; readonly unsent: number } | null;
  /** Names and sizes of all frames are known. */
  readonly listed: boolean;
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
  readonly dialog: WorkspaceDialog | null;
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

export const isSkipped = ({ deleted, showDeleted }: AnnotateState, frame: number): boolean =>
  !showDeleted && deleted.has(frame);

/** False while another frame loads: a shape drawn then would land on the wrong frame. */
export const frameIsShown = ({ frame, wantedFrame, shown }: AnnotateState): boolean => shown && frame === wantedFrame;

export type AnnotateStore = StoreApi<AnnotateState>;

export interface FrameMeta {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Shows frames. Each promise resolves when the frame is displayed or another one was requested. */
export interface FrameNavigator {
  goTo(frame: number): Promise<void>;
  /** Steps over skipped frames; stays if there is no other frame. */
  step(by: number): Promise<void>;
  /** Goes to the first or last frame that is not skipped. */
  toEnd(end: 'first' | 'last'): Promise<void>;
  /** Fetches failed tiles of a large image again. */
  retryDetail(): void;
  reload(): Promise<void>;
}

/** Parts of an open job. A controller takes a `Pick` of the ones that it needs. */
export interface SessionParts {
  readonly job: Job;
  readonly engine: CanvasEngine;
  readonly store: AnnotateStore;
  readonly navigator: FrameNavigator;
  readonly metaOf: (frame: number) => FrameMeta | undefined;
}

/** In a narrow window the panel would cover the image, so it starts closed. */
const isNarrowWindow = (): boolean => (globalThis.innerWidth ?? Infinity) < 800;

export const initialState = (frame: number, labels: readonly Label[], isVideo: boolean, mode: Mode): AnnotateState => ({
  frame,
  shown: false,
  wantedFrame: frame,
  settledFrame: frame,
  picture: { kind: 'loading' },
  listed: false,
  detail: null,
  display: {},
  annotationsFailed: null,
  reading: null,
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
  dialog: null,
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
