import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellTexts } from '../../main/shell/shell-texts.ts';
import { shellUnderTest } from '../support/desktop-shell.ts';
import { openScreen, type TestScreen } from '../support/electron-22/screen.ts';
import { makeImage } from '../support/images.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Native dialogs, menus and the window's place, on a screen with keyboard and mouse. */

const shell = await shellUnderTest();
const folder = sharedFolder();
const data = join(folder, 'data');
const photos = join(folder, 'photos');
mkdirSync(photos);
let screen: TestScreen;
let electron: ElectronApplication;
let page: Page;
let log = '';

async function open(): Promise<void> {
  electron = await _electron.launch({
    executablePath: shell.executable,
    args: [...shell.args, `--user-data-dir=${join(folder, 'user')}`, '--data-dir', data, '--port', '0'],
    env: { ...process.env, ...shell.env, DISPLAY: screen.display },
  });
  electron.process().stderr?.on('data', (text) => (log += String(text)));
  page = await electron.firstWindow();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
  await page.getByRole('navigation').first().waitFor();
}

const bounds = () => electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());

beforeAll(async () => {
  screen = await openScreen(1600, 1000);
  await open();
});
afterAll(async () => {
  await electron?.close().catch(() => undefined);
  await screen?.[Symbol.asyncDispose]();
});

describe('the menus', () => {
  const labels = () =>
    electron.evaluate(({ Menu }) => (Menu.getApplicationMenu()?.items ?? []).map(({ label }) => label));

  it.each(['de', 'en'] as const)('are in the language of the screens: %s', async (language) => {
    await page.evaluate((chosen) => localStorage.setItem('limner.language', chosen), language);
    await page.reload();
    await page.getByRole('navigation').first().waitFor();
    const { file, edit, view, help } = shellTexts(language);
    await expect.poll(labels).toEqual(expect.arrayContaining([file, edit, view, help]));
    screen.keepPicture(`menu-bar-${language}`);
  });
});

describe('a file dialog', () => {
  it('returns the folder that the user types', async () => {
    const known = screen.windows();
    const chosen = page.evaluate(() => window.desktop?.openFolders());
    await screen.newWindow(known);
    screen.keepPicture('dialog-open-folder');
    // The first slash opens the field for the path, which loses keys until it is there.
    screen.type('/');
    const isOpen = async (): Promise<boolean> => {
      await sleep(500);
      screen.keys('ctrl+a');
      screen.type(photos);
      screen.keepPicture('dialog-open-folder-typed');
      screen.keys('Return');
      return Promise.race([chosen.then(() => false), sleep(5000, true)]);
    };
    while (await isOpen());
    expect(await chosen).toEqual([photos]);
  });

  it('returns nothing when the user cancels', async () => {
    const known = screen.windows();
    const chosen = page.evaluate(() => window.desktop?.openFiles());
    await screen.newWindow(known);
    screen.keepPicture('dialog-open-files');
    screen.keys('Escape');
    expect(await chosen).toEqual([]);
  });
});

describe('a folder dragged from another program', () => {
  it('opens with its images used in place', async () => {
    writeFileSync(join(photos, 'a.png'), await makeImage({ width: 64, height: 48, format: 'png' }));
    const { x = 0, y = 0, width = 0, height = 0 } = (await bounds()) ?? {};
    await screen.dragFiles([photos], x + Math.round(width * 0.6), y + Math.round(height * 0.6));
    await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
    screen.keepPicture('dragged-folder');
    const storage = await page.evaluate(async () => {
      const tasks = (await (await fetch('/api/tasks')).json()) as { results: { id: number; size: number }[] };
      const [task] = tasks.results;
      const meta = (await (await fetch(`/api/tasks/${task?.id}/data/meta`)).json()) as { storage: string };
      return [task?.size, meta.storage];
    });
    expect(storage).toEqual([1, 'share']);
  });
});

describe('a page that cannot save', () => {
  it('stays open when the user chooses so, and is closed when the user accepts the loss', async () => {
    // The page refuses like this while it has unsaved edits. Without input of a user it may not refuse.
    await page.evaluate(() => {
      window.addEventListener('beforeunload', (event) => {
        event.preventDefault();
        // Chromium 108 needs it, newer ones do not.
        Object.assign(event, { returnValue: 'refused' });
      });
    });
    const close = () => electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    screen.click(screen.windows()[0] ?? '', 0.5, 0.9);
    const known = screen.windows();
    await close();
    await screen.newWindow(known);
    screen.keepPicture('dialog-not-saved');
    screen.keys('Escape');
    await expect.poll(() => screen.windows()).toEqual(known);
    expect(await page.evaluate(() => document.visibilityState)).toBe('visible');

    const ended = new Promise((resolve) => electron.process().once('exit', resolve));
    await close();
    const dialog = await screen.newWindow(known);
    // The right one of two buttons: close and lose the edits.
    screen.click(dialog, 0.75, 0.87);
    expect(await ended).toBe(0);
    await open();
  });
});

describe('a page that hangs', () => {
  it('is reloaded when the user closes it and chooses so in the dialog', async () => {
    const known = screen.windows();
    const before = await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    );
    await page.evaluate(() => {
      setTimeout(() => {
        for (;;);
      });
    });
    // A page that does not hang yet would answer, and be closed.
    await sleep(500);
    // A user who closes the window is asked after 5 s; input that is not answered counts after longer.
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    const dialog = await screen.newWindow(known);
    screen.keepPicture('dialog-page-hangs');
    // The right one of two buttons: Reload.
    screen.click(dialog, 0.75, 0.87);
    await expect
      .poll(() =>
        electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId()),
      )
      .not.toBe(before);
    expect(log).toContain('The page does not respond');
  });
});

describe('the window', () => {
  it('is on the screen again when the screen has become smaller', async () => {
    await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 590, y: 190, width: 1000, height: 800 }),
    );
    await expect.poll(async () => (await bounds())?.x).toBe(590);
    await electron.close();
    await screen[Symbol.asyncDispose]();
    screen = await openScreen(1024, 768);
    await open();
    const { x = 0, y = 0, width = 0, height = 0 } = (await bounds()) ?? {};
    screen.keepPicture('window-smaller-screen');
    expect(
      [x, y].every((value) => value >= 0),
      `${x} ${y}`,
    ).toBe(true);
    expect([x + width <= 1024, y + height <= 768], `${x} ${y} ${width} ${height}`).toEqual([true, true]);
  });
});
