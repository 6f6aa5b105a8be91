import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchOptions } from '../options.ts';
import { colorOf, makeCoco, makeFolder, makePhotos, makePolygons, makeVideo } from './material.ts';
import { memoryOf } from './processes.ts';
import type { Context, Program } from './program.ts';

/** Values of one round by row; a text is the reason why there is none. */
export type RowValues = Readonly<Record<string, readonly number[] | string>>;

export interface Measure {
  /** Rows in their order. */
  readonly rows: readonly Row[];
  /** Creates the data once, before the first round. Returns the measurement of one round. */
  prepare(folder: string, options: BenchOptions): Promise<Run>;
}

type Run = (program: Program, context: Context) => Promise<RowValues>;

export interface Row {
  readonly name: string;
  readonly title: string;
  readonly unit: 'ms' | 'bytes';
  /** Also shows the 95th percentile. */
  readonly isSpread?: boolean;
}

const still = { quiet: 1500, timeout: 120_000 };
const stepTimeout = 30_000;
const readingMs = 1000;
const photoSteps = 12;
const videoSteps = 20;
const dragMoves = 12;
const dragLimitMs = 15_000;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A measurement that a program may lack without losing the other rows of the part. */
async function orReason(run: () => Promise<readonly number[]>): Promise<readonly number[] | string> {
  try {
    return await run();
  } catch (error) {
    return reasonOf(error);
  }
}

/** Starts a program, waits until its window is complete, and stops it afterwards. */
async function running<Result>(
  program: Program,
  context: Context,
  run: (started: { readonly startMs: number; readonly pids: readonly number[] }) => Promise<Result>,
): Promise<Result> {
  const started = await program.start(context);
  try {
    const { at } = await context.screen.still(still);
    await context.screen.focus();
    return await run({ startMs: at - started.began, pids: started.pids });
  } finally {
    await started.stop();
  }
}

const start: Measure = {
  rows: [
    { name: 'start', title: 'Start to a complete window', unit: 'ms' },
    { name: 'rest', title: 'Memory at rest (PSS)', unit: 'bytes' },
  ],
  prepare: () =>
    Promise.resolve((program, context) =>
      running(program, context, async ({ startMs, pids }) => {
        await sleep(2000);
        return { start: [startMs], rest: [memoryOf(pids)] };
      }),
    ),
};

const folderOf = (count: number, name: string): Measure => ({
  rows: [
    { name: 'place', title: `${name} images in place, first image`, unit: 'ms' },
    { name: 'drop', title: `${name} images dropped, first image`, unit: 'ms' },
  ],
  async prepare(parent, { scale }) {
    const folder = await makeFolder(parent, Math.round(count * scale));
    return async (program, context) => ({
      place: await orReason(() =>
        running(program, context, async () => [(await program.openFolder(folder, colorOf(0))).ms]),
      ),
      drop: await orReason(() =>
        running(program, context, async () => [(await program.dropFolder(folder, colorOf(0))).ms]),
      ),
    });
  },
});

const photos: Measure = {
  rows: [
    { name: 'next', title: 'Next image, 12 megapixels, one key a second', unit: 'ms', isSpread: true },
    { name: 'stepping', title: 'Memory after these images (PSS)', unit: 'bytes' },
  ],
  async prepare(parent) {
    const folder = await makePhotos(parent, photoSteps + 1);
    return (program, context) =>
      running(program, context, async ({ pids }) => {
        await program.openFolder(folder, colorOf(0));
        const steps: number[] = [];
        for (let index = 1; index <= photoSteps; index += 1) {
          await sleep(readingMs);
          steps.push((await program.next(colorOf(index), stepTimeout)).ms);
        }
        await sleep(readingMs);
        return { next: steps, stepping: [memoryOf(pids)] };
      });
  },
};

const polygonsOf = (count: number, name: string): Measure => ({
  rows: [
    { name: 'open', title: `${name} polygons, image complete`, unit: 'ms' },
    { name: 'drag', title: `${name} polygons, one dragged, each move`, unit: 'ms', isSpread: true },
    { name: 'save', title: `${name} polygons, edit on disk`, unit: 'ms' },
  ],
  prepare(_folder, { scale }) {
    const polygons = makePolygons(Math.max(2, Math.round(count * scale)));
    return Promise.resolve((program, context) =>
      running(program, context, async () => {
        const opened = await program.openPolygons(polygons);
        const { left, right, top, bottom } = await context.screen.find(colorOf(1));
        const [x, y] = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
        const { times, at } = await context.screen.drag({ x, y, moves: dragMoves, limit: dragLimitMs });
        return { open: [opened.ms], drag: times, save: await orReason(async () => [await opened.savedMs(at)]) };
      }),
    );
  },
});

const coco: Measure = {
  rows: [
    { name: 'export', title: 'COCO export, 20,000 polygons', unit: 'ms' },
    { name: 'import', title: 'COCO import, 20,000 polygons', unit: 'ms' },
  ],
  async prepare(parent, { scale }) {
    const folder = await makeFolder(parent, Math.round(1000 * scale));
    const files = readdirSync(folder).toSorted();
    const annotations = await makeCoco(parent, files, 20);
    return (program, context) =>
      running(program, context, async () => {
        const { importMs, exportMs } = await program.coco(folder, files, annotations);
        return { export: [exportMs], import: [importMs] };
      });
  },
};

const video: Measure = {
  rows: [
    { name: 'video', title: 'Video 1080p, first frame', unit: 'ms' },
    { name: 'frame', title: 'Video 1080p, next frame', unit: 'ms', isSpread: true },
  ],
  async prepare(folder, { scale }) {
    const file = await makeVideo(folder, Math.max(2, Math.round(20 * scale)));
    return (program, context) =>
      running(program, context, async () => {
        const { ms } = await program.openVideo(file, colorOf(0));
        const steps: number[] = [];
        for (let index = 1; index <= videoSteps; index += 1) {
          await sleep(readingMs / 2);
          steps.push((await program.next(colorOf(index), stepTimeout)).ms);
        }
        return { video: [ms], frame: steps };
      });
  },
};

/** Names for `--part`. `folder-long` runs with `--long` only. */
export const measures: Readonly<Record<string, Measure>> = {
  start,
  folder: folderOf(10_000, '10,000'),
  'folder-long': folderOf(100_000, '100,000'),
  photos,
  'polygons-1000': polygonsOf(1000, '1,000'),
  'polygons-10000': polygonsOf(10_000, '10,000'),
  coco,
  video,
};
