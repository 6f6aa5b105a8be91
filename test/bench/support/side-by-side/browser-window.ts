import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start, type Started } from './processes.ts';

const pollMs = 20;
const readyMs = 30_000;

export interface BrowserWindow extends BrowserPage {
  readonly process: Started;
}

export interface BrowserPage {
  /** Runs an expression in the page and returns its JSON value. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Drops local files and folders on the page. Returns the time of the drop. */
  drop(paths: readonly string[]): Promise<number>;
}

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Arguments of Chromium as an app window over the complete screen, without its address (`--app=`). */
const windowArguments = (profile: string): readonly string[] => [
  `--user-data-dir=${profile}`,
  '--window-position=0,0',
  '--window-size=1920,1080',
  '--remote-debugging-port=0',
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--password-store=basic',
  // Nothing leaves the computer.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-default-browser-check',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Chromium as an app window over the complete screen. Its profile is a new folder, or the given one. */
export function openWindow(
  url: string,
  { folder, env, profile }: { folder: string; env: Readonly<Record<string, string>>; profile?: string | undefined },
): BrowserWindow {
  const data = profile ?? mkdtempSync(join(folder, 'chromium-'));
  return { process: start(chromium, [`--app=${url}`, ...windowArguments(data)], env), ...pageOf(data) };
}

/**
 * Environment in which `xdg-open` opens an address in such a window with this profile, so that a program opens its
 * browser itself.
 */
export function openingEnvironment(profile: string): Readonly<Record<string, string>> {
  const bin = mkdtempSync(`${profile}-bin-`);
  const command = join(bin, 'xdg-open');
  const quoted = [chromium, ...windowArguments(profile)].map((text) => `'${text}'`).join(' ');
  writeFileSync(command, `#!/bin/sh\nexec ${quoted} "--app=$1"\n`, { mode: 0o755 });
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

/** The page of a running Chromium with this profile. */
export function pageOf(data: string): BrowserPage {
  let page: Promise<Page> | null = null;
  const connected = (): Promise<Page> => (page ??= connect(data));
  return {
    async evaluate<Value>(expression: string) {
      const { send } = await connected();
      const { result, exceptionDetails } = await send<Evaluated<Value>>('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined) throw new Error(`The page failed: ${JSON.stringify(exceptionDetails)}`);
      return result.value;
    },
    async drop(paths) {
      const { send } = await connected();
      const data = { items: [], files: paths, dragOperationsMask: 1 };
      const at = { x: 960, y: 540 };
      for (const type of ['dragEnter', 'dragOver']) await send('Input.dispatchDragEvent', { type, ...at, data });
      await sleep(200);
      const began = Date.now();
      await send('Input.dispatchDragEvent', { type: 'drop', ...at, data });
      return began;
    },
  };
}

interface Evaluated<Value> {
  readonly result: { readonly value: Value };
  readonly exceptionDetails?: unknown;
}

interface Page {
  send<Result>(method: string, params: object): Promise<Result>;
}

/** The protocol of the developer tools without observers, so that it does not slow down the page. */
async function connect(data: string): Promise<Page> {
  const file = join(data, 'DevToolsActivePort');
  const until = Date.now() + readyMs;
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    if (Date.now() > until) throw new Error('Chromium did not open its port for the developer tools.');
    await sleep(pollMs);
  }
  const port = readFileSync(file, 'utf8').split('\n')[0];
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    readonly type: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const target = targets.find(({ type }) => type === 'page');
  if (target === undefined) throw new Error('Chromium has no page.');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data: text }) => {
    const { id, result, error } = JSON.parse(String(text)) as { id?: number; result?: unknown; error?: unknown };
    const asked = waiting.get(id ?? 0);
    waiting.delete(id ?? 0);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(JSON.stringify(error)));
  });
  socket.addEventListener('close', () => waiting.forEach(({ reject }) => reject(new Error('The window was closed.'))));
  let last = 0;
  return {
    send<Result>(method: string, params: object) {
      const asked = Promise.withResolvers<unknown>();
      last += 1;
      waiting.set(last, asked);
      socket.send(JSON.stringify({ id: last, method, params }));
      return asked.promise as Promise<Result>;
    },
  };
}
