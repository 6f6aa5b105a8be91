import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

/** A separate X server, with the keyboard and mouse of its user. */
export interface TestScreen extends AsyncDisposable {
  readonly display: string;
  /** Waits for another window than the given ones, gives it the keyboard, and returns its ID. */
  newWindow(known: readonly string[]): Promise<string>;
  windows(): readonly string[];
  /** @param x and `y` as fractions of the window */
  click(id: string, x: number, y: number): void;
  /** Drags `paths` from a window of another program to the place of the screen, in pixels. */
  dragFiles(paths: readonly string[], x: number, y: number): Promise<void>;
  keys(...keys: readonly string[]): void;
  type(text: string): void;
  keepPicture(name: string): void;
}

const moveMs = 200;

export async function openScreen(width: number, height: number): Promise<TestScreen> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await once(server.stdout, 'data')) as [Buffer];
  const display = `:${String(number).trim()}`;
  const env = { ...process.env, DISPLAY: display };
  const xdotool = (...args: readonly string[]): string =>
    execFileSync('xdotool', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  // Native dialogs have no name. Toolkits also open windows of one pixel.
  const isLarge = (id: string): boolean =>
    Number(/WIDTH=(\d+)/.exec(xdotool('getwindowgeometry', '--shell', id))?.[1]) > 50;
  const windows = (): readonly string[] =>
    xdotool('search', '--onlyvisible', '--name', '.*').split('\n').filter(isLarge);
  return {
    display,
    windows,
    async newWindow(known) {
      const added = () => windows().find((id) => !known.includes(id));
      await expect.poll(added).toBeDefined();
      const id = added() ?? '';
      // No window manager runs, which would do it.
      await expect
        .poll(() => {
          xdotool('windowfocus', id);
          return xdotool('getwindowfocus', '-f');
        })
        .toBe(id);
      return id;
    },
    click(id, x, y) {
      const geometry = xdotool('getwindowgeometry', '--shell', id);
      const size = (name: string): number => Number(new RegExp(`${name}=(\\d+)`).exec(geometry)?.[1]);
      const place = [x * size('WIDTH'), y * size('HEIGHT')].map((value) => String(Math.round(value)));
      xdotool('mousemove', '--sync', '--window', id, ...place, 'click', '1');
    },
    async dragFiles(paths, x, y) {
      // Debian's own Python has the bindings of GTK.
      const source = spawn('/usr/bin/python3', [join(import.meta.dirname, 'drag-source.py'), ...paths], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await once(source.stdout, 'data');
        xdotool('mousemove', '--sync', '60', '60', 'mousedown', '1');
        // A drag begins after some pixels, and a target answers each move.
        for (const share of [0.02, 0.1, 0.5, 0.9, 1]) {
          xdotool('mousemove', String(Math.round(60 + (x - 60) * share)), String(Math.round(60 + (y - 60) * share)));
          await sleep(moveMs);
        }
        xdotool('mouseup', '1');
        await sleep(moveMs);
      } finally {
        await stop(source);
      }
    },
    keys: (...keys) => void xdotool('key', '--delay', '60', ...keys),
    type: (text) => void xdotool('type', '--delay', '20', text),
    keepPicture(name) {
      const folder = process.env['LIMNER_PICTURES'];
      if (folder === undefined) return;
      mkdirSync(folder, { recursive: true });
      const grab = ['-f', 'x11grab', '-video_size', `${width}x${height}`, '-i', display, '-frames:v', '1'];
      execFileSync('ffmpeg', ['-v', 'error', '-y', ...grab, join(folder, `${name}.png`)]);
    },
    [Symbol.asyncDispose]: () => stop(server),
  };
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill();
  await ended;
}
