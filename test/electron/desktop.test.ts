import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page, type Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileOf } from '../../main/shell/desktop-options.ts';
import { makeImage } from '../support/images.ts';
import { recordQuestions, shellUnderTest, type Shown } from '../support/desktop-shell.ts';
import { nodeExecutable, projectRoot } from '../support/node-executable.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import type { DesktopBridge, DesktopEvent } from '../../preload/contract/desktop-bridge.ts';

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
    seenEvents?: DesktopEvent[];
  }
}

const shell = await shellUnderTest();
const directory = sharedFolder();
let electron: ElectronApplication;
let page: Page;
let errorOutput = '';

const argumentsFor = (dataDirectory: string): string[] => [
  ...shell.args,
  `--user-data-dir=${join(directory, 'user')}`,
  '--data-dir',
  dataDirectory,
  '--port',
  '0',
];

async function launch(dataDirectory: string, noDialogs: '1' | null = '1'): Promise<ElectronApplication> {
  const started = await _electron.launch({
    executablePath: shell.executable,
    args: argumentsFor(dataDirectory),
    env: { ...process.env, ...shell.env, ...(noDialogs === null ? {} : { LIMNER_NO_DIALOGS: noDialogs }) },
  });
  started.process().stderr?.on('data', (text) => {
    errorOutput += String(text);
  });
  if (noDialogs !== null) await recordQuestions(started);
  return started;
}

/**
 * Starts the program a second time and resolves to its exit code. Playwright does not start it, because it cannot
 * attach to a process that ends immediately: its pending calls would be rejected outside of any test.
 */
function secondStart(more: readonly string[] = []): Promise<number | null> {
  const second = spawn(shell.executable, [...argumentsFor(join(directory, 'data')), ...more], {
    env: { ...process.env, ...shell.env, LIMNER_NO_DIALOGS: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  second.stderr.on('data', (text) => {
    errorOutput += String(text);
  });
  return new Promise((resolve, reject) => {
    second.once('error', reject);
    second.once('close', resolve);
  });
}

beforeAll(async () => {
  execFileSync(nodeExecutable(), [join(projectRoot, 'scripts', 'limner.mjs'), 'formats'], { stdio: 'pipe' });
  electron = await launch(join(directory, 'data'));
  page = await electron.firstWindow();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
  await page.waitForLoadState();
});

afterAll(async () => {
  await electron?.close().catch(() => undefined);
});

describe('the desktop window', () => {
  it('shows the page of the service, signed in as the owner, without the launch token in its address', async () => {
    expect(page.url()).not.toContain('token');
    const self = await page.evaluate(async () => {
      const response = await fetch('/api/users/self');
      return { status: response.status, body: (await response.json()) as { username?: string } };
    });
    expect(self).toMatchObject({ status: 200, body: { username: 'admin' } });
  });

  it('has the window and the menu', async () => {
    const state = await electron.evaluate(({ BrowserWindow, Menu }) => ({
      windows: BrowserWindow.getAllWindows().map((window) => window.isVisible()),
      menu: Menu.getApplicationMenu()?.items.map((item) => item.label.replace('&', '')) ?? [],
    }));
    expect(state.windows).toEqual([true]);
    expect(state.menu).toEqual(expect.arrayContaining(['File', 'Edit', 'View', 'Help']));
  });

  it('runs its page in a sandbox, isolated from Node and from the preload script', async () => {
    const preferences = await electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as
        | { getLastWebPreferences(): Record<string, unknown> }
        | undefined;
      const all = contents?.getLastWebPreferences() ?? {};
      const names = ['sandbox', 'contextIsolation', 'nodeIntegration', 'webSecurity', 'allowRunningInsecureContent'];
      return Object.fromEntries(names.map((name) => [name, all[name]]));
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
    });
    const seen = await page.evaluate(() =>
      ['require', 'process', 'module', 'ipcRenderer'].filter((name) => name in window),
    );
    expect(seen).toEqual([]);
  });
});

describe('the bridge', () => {
  it('offers only features that a browser does not have', async () => {
    const names = await page.evaluate(() => Object.keys(window.desktop ?? {}).sort());
    expect(names).toEqual([
      'onEvent',
      'openFiles',
      'openFolders',
      'pathForFile',
      'platform',
      'revealInFolder',
      'saveFile',
      'setColorScheme',
      'setLanguage',
    ]);
    expect(await page.evaluate(() => window.desktop?.platform)).toBe(process.platform);
  });

  it('returns the paths that the user selected in the native dialogs', async () => {
    await electron.evaluate(({ dialog }) => {
      dialog.showOpenDialog = (async (_window: unknown, options: { properties: string[] }) => ({
        canceled: false,
        filePaths: [`/chosen/${options.properties.join('+')}`],
      })) as unknown as typeof dialog.showOpenDialog;
      dialog.showSaveDialog = (async (_window: unknown, options: { defaultPath: string }) => ({
        canceled: false,
        filePath: `/saved/${options.defaultPath}`,
      })) as unknown as typeof dialog.showSaveDialog;
    });
    const answers = await page.evaluate(async () => [
      await window.desktop?.openFiles({ filters: [{ name: 'Images', extensions: ['png', 'jpg'] }] }),
      await window.desktop?.openFolders({ multiple: false }),
      await window.desktop?.saveFile({ defaultPath: 'dataset.zip' }),
    ]);
    expect(answers).toEqual([['/chosen/openFile+multiSelections'], ['/chosen/openDirectory'], '/saved/dataset.zip']);
  });

  it('returns nothing when the user cancels', async () => {
    await electron.evaluate(({ dialog }) => {
      dialog.showOpenDialog = (async () => ({ canceled: true, filePaths: [] })) as typeof dialog.showOpenDialog;
      dialog.showSaveDialog = (async () => ({ canceled: true, filePath: '' })) as typeof dialog.showSaveDialog;
    });
    const answers = await page.evaluate(async () => [
      await window.desktop?.openFiles(),
      await window.desktop?.saveFile(),
    ]);
    expect(answers).toEqual([[], null]);
  });

  it('refuses messages that do not fit their schema', async () => {
    const outcomes = await page.evaluate(async () => {
      const bridge = window.desktop as unknown as Record<string, (value: unknown) => Promise<unknown>>;
      const messages: [string, unknown][] = [
        ['openFiles', { properties: ['createDirectory'] }],
        ['openFiles', 'a text'],
        ['openFolders', { filters: [{ name: 'x', extensions: ['../../etc'] }] }],
        ['saveFile', { defaultPath: 5 }],
        ['revealInFolder', null],
        ['revealInFolder', ''],
      ];
      return await Promise.all(
        messages.map(([name, value]) =>
          bridge[name]?.(value).then(
            () => 'taken',
            () => 'refused',
          ),
        ),
      );
    });
    expect(outcomes).toEqual(Array.from({ length: 6 }, () => 'refused'));
  });

  it('reveals only existing files', async () => {
    await electron.evaluate(({ shell }) => {
      shell.showItemInFolder = (path) => void Object.assign(globalThis, { revealed: path });
    });
    const answers = await page.evaluate(
      async (present) => [
        await window.desktop?.revealInFolder(present),
        await window.desktop?.revealInFolder(`${present}/missing`),
        await window.desktop?.revealInFolder('relative'),
      ],
      directory,
    );
    expect(answers).toEqual([true, false, false]);
    expect(await electron.evaluate(() => (globalThis as unknown as { revealed: string }).revealed)).toBe(directory);
  });

  it('sends commands of the menu to the page until the page stops listening', async () => {
    const click = () =>
      electron.evaluate(({ Menu }) => {
        const file = Menu.getApplicationMenu()?.items.find((item) => item.label.includes('File'));
        file?.submenu?.items.find((item) => item.label.startsWith('Open folder'))?.click();
      });
    await page.evaluate(() => {
      window.seenEvents = [];
      const stop = window.desktop?.onEvent((event) => {
        window.seenEvents?.push(event);
        if (event.type === 'menu') stop?.();
      });
    });
    await click();
    await page.waitForFunction(() => window.seenEvents?.some((event) => event.type === 'menu'));
    await click();
    const answered = await page.evaluate(async () => {
      // A round trip: an event sent before it would have arrived by now.
      await window.desktop?.revealInFolder('relative');
      return window.seenEvents?.filter((event) => event.type === 'menu');
    });
    expect(answered).toEqual([{ type: 'menu', command: 'open-folder' }]);
  });

  it('has menus in the language of the page, with the recently opened files', async () => {
    const menus = () =>
      electron.evaluate(({ Menu }) =>
        (Menu.getApplicationMenu()?.items ?? []).map(({ label, submenu }) => ({
          label: label.replace('&', ''),
          items: submenu?.items.map((item) => item.label) ?? [],
        })),
      );
    const recent = () =>
      electron.evaluate(({ Menu }) =>
        Menu.getApplicationMenu()
          ?.items.flatMap(({ submenu }) => submenu?.items ?? [])
          .find(({ label }) => label === 'Zuletzt geöffnet')
          ?.submenu?.items.map(({ label }) => label),
      );
    await page.evaluate(() => window.desktop?.setLanguage('de'));
    expect((await menus()).map(({ label }) => label)).toEqual(expect.arrayContaining(['Datei', 'Bearbeiten', 'Hilfe']));
    await electron.evaluate(({ dialog }) => {
      const chosen = async () => ({ canceled: false, filePaths: ['/photos/yard'] });
      dialog.showOpenDialog = chosen as typeof dialog.showOpenDialog;
    });
    await page.evaluate(() => window.desktop?.openFolders());
    expect(await recent()).toEqual(expect.arrayContaining(['yard', 'Liste leeren']));
    await page.evaluate(() => window.desktop?.setLanguage('en'));
    expect((await menus()).map(({ label }) => label)).toEqual(expect.arrayContaining(['File', 'Edit', 'Help']));
  });

  it('has no path for a file that was never on disk', async () => {
    expect(await page.evaluate(() => window.desktop?.pathForFile(new File(['x'], 'x.png')))).toBe('');
    expect(await page.evaluate(() => window.desktop?.pathForFile({}))).toBe('');
  });
});

describe('a large file of annotations on this computer', () => {
  it('is read in place: its path is passed, and its content is not sent', async () => {
    const photo = join(directory, 'a.png');
    writeFileSync(photo, await makeImage({ width: 64, height: 48, text: 'a', format: 'png' }));
    const file = join(directory, 'large.json');
    const bytes = 30 * 1024 * 1024;
    writeFileSync(
      file,
      JSON.stringify({
        images: [{ id: 1, file_name: 'a.png', width: 64, height: 48 }],
        categories: [{ id: 1, name: 'car' }],
        annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [2, 3, 20, 10], area: 200, iscrowd: 0 }],
        info: { description: 'x'.repeat(bytes) },
      }),
    );
    const task = await page.evaluate(async (path) => {
      const token = /csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? '';
      const send = async (address: string, body: object) => {
        const headers = { 'Content-Type': 'application/json', 'X-CSRFToken': token };
        return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<{
          id: number;
        }>;
      };
      const { id } = await send('/api/tasks', { name: 'local', labels: [{ name: 'car' }] });
      await send(`/api/tasks/${id}/data/`, { image_quality: 70, server_files: [path] });
      return id;
    }, photo);
    const read = <Answer>(address: string): Promise<Answer> =>
      page.evaluate(async (from) => (await fetch(from)).json() as Promise<never>, address);
    await expect.poll(async () => (await read<{ size: number }>(`/api/tasks/${task}`)).size).toBe(1);
    const sent: { readonly bytes: number; readonly metadata: string }[] = [];
    const note = (request: Request): void =>
      void sent.push({
        bytes: request.postDataBuffer()?.length ?? 0,
        metadata: request.headers()['upload-metadata'] ?? '',
      });
    page.on('request', note);
    await page.evaluate((id) => location.assign(`/tasks/${id}`), task);
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Import annotations' }).click();
    const dialog = page.getByRole('dialog');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Choose a file' }).click(),
    ]);
    await chooser.setFiles(file);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('Import completed.').waitFor();
    page.off('request', note);
    const paths = sent.flatMap(({ metadata }) => /local_path ([\w+/=]+)/.exec(metadata)?.[1] ?? []);
    expect(paths.length).toBeGreaterThan(0);
    expect(new Set(paths.map((path) => Buffer.from(path, 'base64').toString()))).toEqual(new Set([file]));
    expect(sent.reduce((sum, one) => sum + one.bytes, 0)).toBeLessThan(bytes / 10);
    const { shapes } = await read<{ shapes: { points: number[] }[] }>(`/api/tasks/${task}/annotations/`);
    expect(shapes.map(({ points }) => points)).toEqual([[2, 3, 22, 13]]);
    expect(readFileSync(file).length).toBeGreaterThan(bytes);
  });
});

describe('a page of the program', () => {
  const openedOutside = () => electron.evaluate(() => (globalThis as unknown as { opened?: string[] }).opened ?? []);

  beforeAll(async () => {
    await electron.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = async (address) => void opened.push(address);
    });
  });

  it('opens no further windows, and passes only web addresses to the browser', async () => {
    const addresses = [
      'https://example.com/manual',
      'http://example.com/',
      'file:///etc/passwd',
      'smb://example.com/share',
      'javascript:alert(1)',
      'data:text/html,x',
      'ms-settings:privacy',
      'vscode://file/etc/passwd',
      'mailto:a@example.com',
      'https://user:word@example.com/',
      'blob:https://example.com/x',
    ];
    const results = await page.evaluate((all) => all.map((address) => window.open(address) === null), addresses);
    expect(results).toEqual(addresses.map(() => true));
    await expect.poll(openedOutside).toEqual(['https://example.com/manual', 'http://example.com/']);
    expect(electron.windows()).toHaveLength(1);
  });

  it('cannot leave the service', async () => {
    const before = page.url();
    await page.evaluate(() => {
      window.location.href = 'http://127.0.0.2:9/elsewhere';
    });
    await expect.poll(() => errorOutput).toContain('Stopped a page from navigating to another site');
    expect(page.url()).toBe(before);
    expect(await page.evaluate(() => document.readyState)).toBe('complete');
  });

  it('gets no permissions', async () => {
    const states = await page.evaluate(async () =>
      Promise.all(
        (['geolocation', 'notifications', 'camera', 'microphone'] as PermissionName[]).map(
          async (name) => (await navigator.permissions.query({ name })).state,
        ),
      ),
    );
    expect(states).toEqual(['denied', 'denied', 'denied', 'denied']);
  });
});

describe('a page that crashes', () => {
  const end = (count: number) =>
    electron.evaluate(({ BrowserWindow }, times) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        emit(name: string, event: object, details: object): void;
      };
      for (let ended = 0; ended < times; ended += 1) contents.emit('render-process-gone', {}, { reason: 'crashed' });
    }, count);
  const shown = () => electron.evaluate(() => (globalThis as unknown as Shown).shownMessageBox ?? null);

  it('is reloaded, and asks the user after repeated crashes', async () => {
    const mark = () => page.evaluate(() => void Object.assign(window, { isOld: true }));
    await mark();
    await end(1);
    await page.waitForFunction(() => !('isOld' in window) && document.readyState === 'complete');
    expect(await shown()).toBeNull();
    await mark();
    await end(2);
    await expect.poll(shown).toMatchObject({
      message: 'The page of Limner crashed several times',
      buttons: ['Open again', 'Quit'],
    });
    await electron.evaluate(() => (globalThis as unknown as Shown).answerMessageBox?.(0));
    await page.waitForFunction(() => !('isOld' in window) && document.readyState === 'complete');
    expect(await page.evaluate(async () => (await fetch('/api/users/self')).status)).toBe(200);
  });
});

describe('a data directory', () => {
  it('is open in one window only: a second start ends immediately', async () => {
    expect(await secondStart()).toBe(0);
    expect(await page.evaluate(async () => (await fetch('/api/users/self')).status)).toBe(200);
  });

  it('opens the backup that a second start with ports names in the first window', async () => {
    await page.evaluate(() => {
      window.seenEvents = [];
      window.desktop?.onEvent((event) => window.seenEvents?.push(event));
    });
    const backup = join(directory, 'a backup.limner');
    const before = errorOutput;
    expect(await secondStart(['--dashboard-port', '0', backup])).toBe(0);
    await page.waitForFunction(() => window.seenEvents?.some((event) => event.type === 'open-path'));
    expect(await page.evaluate(() => window.seenEvents?.filter((event) => event.type === 'open-path'))).toEqual([
      { type: 'open-path', path: backup },
    ]);
    expect(errorOutput.slice(before.length)).not.toContain('Error');
  });
});

describe('quitting', () => {
  it('stops the service, frees the data directory and ends with exit code 0', async () => {
    const address = new URL(page.url()).origin;
    const ended = new Promise((resolve) => electron.process().once('exit', resolve));
    await electron.close();
    expect(await ended, errorOutput).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
    expect(existsSync(join(directory, 'data', 'limner.lock'))).toBe(false);
  });

  it('leaves everything ready for the next start', async () => {
    electron = await launch(join(directory, 'data'));
    const again = await electron.firstWindow();
    await again.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
    // The next test quits this one, and a loading page notices it late.
    await again.waitForLoadState();
    expect(await again.evaluate(() => typeof window.desktop)).toBe('object');
  });
});

// In Electron 22 the service is a separate process, which asks on its command line.
if (shell.hasOwnService)
  describe('a store that is missing', () => {
    it('asks in a dialog, and can be moved aside for an empty workbench', async () => {
      await electron.close();
      const data = join(directory, 'data');
      mkdirSync(join(data, 'data', '1', 'raw'), { recursive: true });
      writeFileSync(join(data, 'data', '1', 'raw', 'a.jpg'), 'an image');
      for (const name of readdirSync(join(data, 'db'))) rmSync(join(data, 'db', name), { recursive: true });
      electron = await launch(data, null);
      const shown = () => electron.evaluate(() => (globalThis as unknown as Shown).shownMessageBox ?? null);
      await expect.poll(shown, { timeout: 60_000 }).not.toBeNull();
      const box = await shown();
      expect(box?.detail).toMatch(
        /limner\.sqlite is missing.*images of 1 task.*nothing was changed.*Nothing is deleted/,
      );
      expect(box?.buttons).toEqual(['Start with an empty workbench', 'Quit']);
      await electron.evaluate(() => (globalThis as unknown as Shown).answerMessageBox?.(0));

      page = await electron.firstWindow();
      await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
      const [aside = ''] = readdirSync(join(data, 'set-aside'));
      expect(readFileSync(join(data, 'set-aside', aside, 'data', '1', 'raw', 'a.jpg'), 'utf8')).toBe('an image');
      expect(existsSync(join(data, 'data', '1'))).toBe(false);
    });
  });

describe('a service that does not start', () => {
  it('is explained in the window, which ends with an exit code when it is closed', async () => {
    await electron.close();
    const file = join(directory, 'a file');
    writeFileSync(file, 'not a data directory');
    electron = await launch(file, null);
    page = await electron.firstWindow();
    await page.getByRole('heading', { name: 'Limner cannot start' }).waitFor();
    expect(await page.getByRole('alert').innerText()).not.toBe('');
    const ended = new Promise((resolve) => electron.process().once('exit', resolve));
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await ended).not.toBe(0);
  });
});

describe('a file of settings that cannot be read', () => {
  it('is kept as a copy, and the window opens', async () => {
    await electron.close();
    const data = join(directory, 'other');
    const profile = profileOf(join(directory, 'user'), data);
    mkdirSync(profile, { recursive: true });
    writeFileSync(join(profile, 'config.json'), '{"language": "de');
    electron = await launch(data);
    page = await electron.firstWindow();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect(readFileSync(join(profile, 'config.json.unreadable'), 'utf8')).toBe('{"language": "de');
    expect(readFileSync(join(data, 'logs', 'limner.log'), 'utf8')).toContain('Cannot read the settings');
  });
});
