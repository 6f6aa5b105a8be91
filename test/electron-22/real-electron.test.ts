import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileOf } from '../../main/shell/desktop-options.ts';
import { recordQuestions, shellUnderTest } from '../support/desktop-shell.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/**
 * Properties that only a real Electron has. This one is Electron 22.3.25 (Chromium 108, Node 16), with the shell as
 * CommonJS and the service as a child process. So it proves nothing about the version in package.json, an ES module as
 * the main file, `webUtils`, the service in the main process, or `safeStorage` behind the service.
 */

const shell = await shellUnderTest();
const folder = sharedFolder();
const data = join(folder, 'data');
let electron: ElectronApplication;
let page: Page;
let errorOutput = '';

async function open(): Promise<void> {
  electron = await _electron.launch({
    executablePath: shell.executable,
    args: [...shell.args, `--user-data-dir=${join(folder, 'user')}`, '--data-dir', data, '--port', '0'],
    env: { ...process.env, ...shell.env, LIMNER_NO_DIALOGS: '1' },
  });
  electron.process().stderr?.on('data', (text) => (errorOutput += String(text)));
  await recordQuestions(electron);
  page = await electron.firstWindow();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
  await page.waitForLoadState();
}

const pageProcess = () =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0);

beforeAll(open);
afterAll(async () => {
  await electron?.close().catch(() => undefined);
});

describe('the process of the page', () => {
  it('is sandboxed by the kernel', async () => {
    const status = readFileSync(`/proc/${await pageProcess()}/status`, 'utf8');
    const valueOf = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1];
    // Mode 2: system calls are filtered.
    expect(valueOf('Seccomp')).toBe('2');
    expect(valueOf('NoNewPrivs')).toBe('1');
    expect(valueOf('CapEff')).toMatch(/^0+$/);
  });

  it('has neither Node nor Electron, in no realm that the page can reach', async () => {
    const found = await page.evaluate(() => {
      const names = ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'];
      const frame = document.body.appendChild(document.createElement('iframe'));
      const realms: Record<string, object | null> = {
        page: window,
        frame: frame.contentWindow,
        bridge: window.desktop?.openFiles.constructor('return globalThis')() as object,
      };
      const present = Object.entries(realms).flatMap(([realm, globals]) =>
        names.filter((name) => globals === null || name in globals).map((name) => `${realm}.${name}`),
      );
      if (frame.contentWindow !== null && 'desktop' in frame.contentWindow) present.push('frame.desktop');
      frame.remove();
      return present;
    });
    expect(found).toEqual([]);
  });

  it('cannot replace functions of the bridge', async () => {
    const isUnchanged = await page.evaluate(async () => {
      const bridge = window.desktop as unknown as Record<string, unknown>;
      const before = bridge['revealInFolder'];
      try {
        bridge['revealInFolder'] = () => 'replaced';
      } catch {}
      try {
        Object.assign(window, { desktop: { revealInFolder: () => 'replaced' } });
      } catch {}
      return window.desktop?.revealInFolder === before;
    });
    expect(isUnchanged).toBe(true);
  });
});

describe('requests of a page', () => {
  it('for permissions are denied', async () => {
    const answers = await page.evaluate(async () => ({
      place: await new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ code }) => resolve(code),
        ),
      ),
      notifications: await Notification.requestPermission(),
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
        () => 'granted',
        ({ name }: Error) => name,
      ),
      clipboard: await navigator.clipboard.readText().then(
        () => 'granted',
        ({ name }: Error) => name,
      ),
    }));
    const denied = 1; // GeolocationPositionError.PERMISSION_DENIED
    expect(answers).toEqual({
      place: denied,
      notifications: 'denied',
      camera: expect.stringMatching(/NotAllowedError|NotFoundError/) as string,
      clipboard: 'NotAllowedError',
    });
  });

  it('for windows by links are refused, whatever opens them', async () => {
    await page.evaluate(() => {
      const link = document.body.appendChild(document.createElement('a'));
      Object.assign(link, { href: '/tasks', target: '_blank', textContent: 'a link', id: 'a-link' });
      link.style.cssText = 'position:fixed;left:300px;top:300px;z-index:9999';
    });
    const link = page.locator('#a-link');
    for (const modifiers of [[], ['Control'], ['Shift']] as const) await link.click({ modifiers: [...modifiers] });
    await link.click({ button: 'middle' });
    await link.evaluate((element) => element.remove());
    const refused = () => errorOutput.split('Stopped a page from opening a window').length - 1;
    await expect.poll(refused).toBe(4);
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  it('for frames of other sites load nothing', async () => {
    const content = await page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.src = 'http://127.0.0.2:9/';
      const settled = new Promise((resolve) => frame.addEventListener('load', resolve));
      const refused = new Promise((resolve) => document.addEventListener('securitypolicyviolation', resolve));
      document.body.append(frame);
      await Promise.race([settled, refused]);
      const address = frame.contentDocument?.URL ?? 'another site';
      frame.remove();
      return address;
    });
    expect(content).not.toContain('127.0.0.2');
  });
});

describe('a download', () => {
  it('reaches the disk with the name that the service gives it', async () => {
    const target = join(folder, 'downloaded');
    await electron.evaluate(({ session }, path) => {
      session.defaultSession.once('will-download', (_event, item) => {
        item.setSavePath(path);
        item.once('done', (_done, state) => Object.assign(globalThis, { download: [state, item.getFilename()] }));
      });
    }, target);
    await page.evaluate(() => {
      const link = document.createElement('a');
      Object.assign(link, { href: '/api/limner/report/file', download: '' });
      link.click();
    });
    const ended = () => electron.evaluate(() => (globalThis as unknown as { download?: string[] }).download ?? null);
    await expect.poll(ended).toEqual(['completed', expect.stringMatching(/^limner-report-.*\.zip$/)]);
    expect(readFileSync(target).toString('latin1', 0, 2)).toBe('PK');
  });
});

describe('the native menu', () => {
  it('shows keys that the system accepts, and roles of Electron', async () => {
    const items = await electron.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) =>
        (submenu?.items ?? []).map(({ role, accelerator, label, type }) => ({ role, accelerator, label, type })),
      ),
    );
    const roles = items.flatMap(({ role }) => (role ? [role.toLowerCase()] : []));
    expect(roles).toEqual(expect.arrayContaining(['quit', 'cut', 'copy', 'paste', 'togglefullscreen']));
    expect(items.filter(({ type, label }) => type !== 'separator' && label === '')).toEqual([]);
    expect(items.filter(({ accelerator }) => accelerator).length).toBeGreaterThan(5);
  });
});

describe('the window', () => {
  const bounds = () => electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());

  it('returns to its place at the next start', async () => {
    const place = { x: 60, y: 40, width: 1000, height: 700 };
    await electron.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), place);
    await expect.poll(bounds).toEqual(place);
    await electron.close();
    await open();
    expect(await bounds()).toEqual(place);
  });

  it('returns to a screen that exists, when its own is gone', async () => {
    await electron.close();
    const profile = profileOf(join(folder, 'user'), data);
    const file = join(profile, 'config.json');
    mkdirSync(profile, { recursive: true });
    const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
    writeFileSync(file, JSON.stringify({ ...kept, windowBounds: { x: 9000, y: 40, width: 1000, height: 700 } }));
    await open();
    expect((await bounds())?.x).toBeLessThan(2000);
  });
});

describe('a page whose process is killed', () => {
  it('is opened again in a new process, signed in', async () => {
    const killed = await pageProcess();
    process.kill(killed, 'SIGKILL');
    await expect.poll(pageProcess).not.toBe(killed);
    const self = () =>
      electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          "fetch('/api/users/self').then((answer) => answer.status, () => 0)",
        ),
      );
    await expect.poll(() => self().catch(() => 0)).toBe(200);
    expect(errorOutput).toContain('The page crashed');
  });
});

describe('limner --self-test', () => {
  it('opens a window, creates a task, draws a box, exports it, and ends', async () => {
    const args = [...shell.args, '--self-test'];
    const { stdout } = await promisify(execFile)(shell.executable, args, { env: { ...process.env, ...shell.env } });
    expect(stdout).toMatch(/Self-test passed: a window, a task, a box, an export of \d+ bytes\./);
  });
});
