import type { Color, Paint, Screen } from './screen.ts';

/** Reason why a program has no figure in a row. */
export class NotMeasured extends Error {}

export interface Running {
  /** Processes; their descendants are part of the program. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** A task with images that is on the screen. */
export interface Opened {
  /** Milliseconds from the command to the first image. */
  readonly ms: number;
}

export interface PolygonsOpened {
  /** Milliseconds from the input that opens the image until nothing changes any more. */
  readonly ms: number;
  /** Waits until an edit that ended at a time is on disk; milliseconds. */
  savedMs(since: number): Promise<number>;
}

export interface Context {
  readonly screen: Screen;
  /** Removed after the benchmark. */
  readonly folder: string;
}

/** A program that is measured. Each method throws `NotMeasured` with the reason if the program has no such row. */
export interface Program {
  readonly name: string;
  readonly version: string;
  /** Prepares what is installed or created once, outside of the measurement. */
  prepare(context: Context): Promise<void>;
  /** Starts the program with an empty list. `began` is the time of its first process. */
  start(context: Context): Promise<Running & { readonly began: number }>;
  /** Opens a folder in place in the running program. */
  openFolder(folder: string, color: Color): Promise<Opened>;
  /** Drops a folder on the window. */
  dropFolder(folder: string, color: Color): Promise<Opened>;
  /** Input that shows the next image. */
  next(color: Color, timeout: number): Promise<Paint>;
  openPolygons(polygons: readonly (readonly number[])[]): Promise<PolygonsOpened>;
  coco(folder: string, files: readonly string[], annotations: string): Promise<CocoTimes>;
  openVideo(file: string, color: Color): Promise<Opened>;
}

export interface CocoTimes {
  readonly importMs: number;
  readonly exportMs: number;
}
