import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { shellUnderTest } from '../support/desktop-shell.ts';
import { openScreen } from '../support/electron-22/screen.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const shell = await shellUnderTest();
const folder = sharedFolder();
const screen = await openScreen(1280, 800);
const permission = join(folder, 'start');
let electron: ElectronApplication | undefined;
afterAll(async () => {
  writeFileSync(permission, '');
  await electron?.close().catch(() => undefined);
  await screen[Symbol.asyncDispose]();
});

/** Starts the service once the permission exists, or ends with the folder. */
function delayedNode(): string {
  const script = join(folder, 'node');
  const { LIMNER_TEST_NODE: node } = shell.env;
  const wait = `until [ -e '${permission}' ]; do [ -d '${folder}' ] || exit 1; sleep 0.05; done`;
  writeFileSync(script, `#!/bin/sh\n${wait}\nexec '${node}' "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}

/** Windows before the service has started: the only difference between them is their color. */
async function startWithoutService() {
  rmSync(permission, { force: true });
  electron = await _electron.launch({
    executablePath: shell.executable,
    args: [...shell.args, `--user-data-dir=${join(folder, 'user')}`, '--data-dir', join(folder, 'data'), '--port', '0'],
    env: { ...process.env, ...shell.env, DISPLAY: screen.display, LIMNER_TEST_NODE: delayedNode() },
  });
  const windows = () =>
    electron?.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => [window.isVisible(), window.getBackgroundColor().toLowerCase()]),
    );
  await expect.poll(async () => (await windows())?.length).toBe(1);
  return windows();
}

async function pageOfService(): Promise<Page> {
  writeFileSync(permission, '');
  const page = await electron!.firstWindow();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
  await page.getByRole('navigation').first().waitFor();
  return page;
}

describe('the window before the service has started', () => {
  it('is visible, and then shows the page', async () => {
    expect(await startWithoutService()).toEqual([[true, '#ffffff']]);
    screen.keepPicture('window-before-the-service');
    await pageOfService();
  });

  it('has the color scheme that the user chose in the page', async () => {
    const page = await pageOfService();
    await page.evaluate(() => localStorage.setItem('limner.color-scheme', 'dark'));
    await page.reload();
    await page.getByRole('navigation').first().waitFor();
    const source = () => electron?.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
    await expect.poll(source).toBe('dark');
    await electron?.close();
    expect(await startWithoutService()).toEqual([[true, '#16181d']]);
    screen.keepPicture('window-before-the-service-dark');
    await pageOfService();
  });
});
