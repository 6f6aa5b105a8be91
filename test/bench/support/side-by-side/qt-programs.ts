import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { prepareEnvironment, versionOf, type Environment } from './environments.ts';
import { notMeasured } from './limner-program.ts';
import { colorOf, makePolygonFolder } from './material.ts';
import { start, type Started } from './processes.ts';
import { NotMeasured, type CocoTimes, type Context, type Opened, type Program } from './program.ts';
import type { Color } from './screen.ts';

const run = promisify(execFile);
const paintMs = 120_000;
const pollMs = 4;

interface QtProgram {
  readonly name: string;
  readonly environment: Environment;
  /** Binding, module and function that start the program. */
  readonly entry: readonly [binding: string, module: string, run: string];
  readonly args: readonly string[];
  /** Python expression that opens a folder; `{}` is its path. */
  readonly open: string;
  /** Reason why the program has no row for polygons. */
  readonly polygons?: string;
  /** Python script that converts COCO, in this folder. */
  readonly coco?: string;
  readonly video: string;
  readonly drop: string;
}

const ownDrop = 'opens images, not folders, by a drop';

const programs: readonly QtProgram[] = [
  {
    name: 'labelme',
    environment: 'labelme',
    entry: ['PySide6', 'labelme.__main__', 'main'],
    args: ['--logger-level', 'error'],
    open: 'window._load_from_file_or_dir(file_or_dir={})',
    video: 'no videos',
    drop: ownDrop,
  },
  {
    name: 'X-AnyLabeling',
    environment: 'x-anylabeling',
    entry: ['PyQt6', 'anylabeling.app', 'main'],
    args: ['--no-auto-update-check', '--logger-level', 'error'],
    open: 'window.labeling_widget.view.import_image_folder({})',
    coco: 'x_anylabeling_coco.py',
    video: 'writes all frames to image files first; then the rows of images apply',
    drop: ownDrop,
  },
  {
    name: 'labelImg',
    environment: 'labelimg',
    entry: ['PyQt5', 'labelImg.labelImg', 'main'],
    args: [],
    open: 'window.import_dir_images({})',
    polygons: 'boxes only',
    video: 'no videos',
    drop: 'no drop',
  },
];

export const qtPrograms = (): Program[] => programs.map(qtProgram);

function qtProgram(program: QtProgram): Program {
  let session: { readonly context: Context; readonly process: Started } | null = null;
  let python = '';
  const current = () => {
    if (session === null) throw new Error(`${program.name} does not run.`);
    return session;
  };

  async function openFolder(folder: string, color: Color): Promise<Opened> {
    const { context, process } = current();
    const began = Date.now();
    process.child.stdin!.write(`${program.open.replace('{}', JSON.stringify(folder))}\n`);
    const { at } = await context.screen.painted(color, paintMs);
    return { ms: at - began };
  }

  return {
    name: program.name,
    version: versionOf(program.environment),
    async prepare() {
      python = join(await prepareEnvironment(program.environment), 'bin', 'python');
    },
    async start(context) {
      const home = mkdtempSync(join(context.folder, 'home-'));
      const work = program.environment === 'x-anylabeling' ? ['--work-dir', home] : [];
      const began = Date.now();
      const process = start(
        python,
        [join(import.meta.dirname, 'qt_program.py'), ...program.entry, ...program.args, ...work],
        { ...context.screen.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), QT_QPA_PLATFORM: 'xcb' },
      );
      session = { context, process };
      return {
        began,
        pids: [process.pid],
        async stop() {
          session = null;
          await process.stop();
          await rm(home, { recursive: true, force: true });
        },
      };
    },
    openFolder,
    dropFolder: notMeasured(program.drop),
    next: (color, timeout) => current().context.screen.painted(color, timeout, ['key', 'd']),
    openPolygons:
      program.polygons === undefined
        ? async (polygons) => {
            const { context } = current();
            const folder = await makePolygonFolder(context.folder, polygons);
            await openFolder(folder, colorOf(0));
            await sleep(2000);
            const { screen } = context;
            const { ms } = await screen.still({
              quiet: 1500,
              timeout: paintMs,
              action: ['key', 'd'],
              left: 480,
              width: 960,
            });
            return { ms, savedMs: (since) => written(join(folder, 'frame-1.json'), since) };
          }
        : notMeasured(program.polygons),
    async coco(folder, _files, annotations) {
      if (program.coco === undefined) throw new NotMeasured('no COCO in the package');
      return convert(python, join(import.meta.dirname, program.coco), [folder, annotations]);
    },
    openVideo: notMeasured(program.video),
  };
}

/** Waits until a file is complete JSON that is newer than a time. */
async function written(path: string, since: number): Promise<number> {
  for (;;) {
    if (Date.now() - since > paintMs) throw new Error(`${path} was not written.`);
    if (statSync(path).mtimeMs >= since) {
      try {
        JSON.parse(readFileSync(path, 'utf8'));
        return Date.now() - since;
      } catch {
        // It is still being written.
      }
    }
    await sleep(pollMs);
  }
}

/** Runs a script that measures itself, so that the start of Python is not counted. */
async function convert(python: string, script: string, args: readonly string[]): Promise<CocoTimes> {
  const { stdout } = await run(python, [script, ...args], { maxBuffer: 2 ** 26, timeout: paintMs });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as CocoTimes;
}
