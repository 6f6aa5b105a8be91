import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectDevTools } from './devtools.ts';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export type Chromium = Awaited<ReturnType<typeof startChromium>>;

/** Starts Chromium with one empty application window, and prints the line with its debugging address. */
export async function startChromium() {
  const executable = process.env['CHROMIUM'] ?? candidates.find((path) => existsSync(path));
  if (executable === undefined) {
    throw new Error('The stand-in for Electron needs Chromium: install it, or name it in CHROMIUM.');
  }
  const profile = mkdtempSync(join(tmpdir(), 'electron-stand-in-'));
  const hasDisplay = process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
  const child = spawn(
    executable,
    [
      '--app=data:text/html,',
      `--user-data-dir=${profile}`,
      '--remote-debugging-port=0',
      '--no-sandbox',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--window-size=1280,800',
      ...(hasDisplay ? [] : ['--headless=new']),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const dispose = (): void => {
    child.kill('SIGKILL');
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Its child processes may still write there. A leftover folder must not cause an error.
    }
  };
  process.once('exit', dispose);
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /^DevTools listening on (ws:\/\/.*)$/.exec(line)?.[1];
      if (found === undefined) return;
      process.stderr.write(`${line}\n`);
      resolve(found);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('Chromium ended before it was ready.')));
  });
  return { devTools: await connectDevTools(address), process: child, dispose };
}
