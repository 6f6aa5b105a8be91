import { EventEmitter } from 'node:events';
import { startChromium, type Chromium } from './chromium.ts';
import { StandInApp } from './electron-app.ts';
import { defaultSession, permissionSettings } from './electron-session.ts';
import { StandInWindow, connectWindowHost } from './electron-window.ts';
import { StandInWebContents } from './web-contents.ts';

/** Replaces the module `electron` for the main process. */

const windows = new Set<StandInWindow>();
const handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();

const userData = process.argv.find((argument) => argument.startsWith('--user-data-dir='))?.split('=')[1] ?? null;
const chromium: Promise<Chromium> = startChromium();
export const app = new StandInApp(chromium.then(connect), userData);

app.connectWindows(
  () => {
    for (const window of windows) window.close();
  },
  () => windows.size,
);

async function connect(): Promise<void> {
  const { devTools, process: child } = await chromium;
  connectWindowHost({
    createContents(preferences, onClosed) {
      for (const { name, setting } of permissionSettings()) {
        void devTools.send('Browser.setPermission', { permission: { name }, setting }).catch(() => undefined);
      }
      const onUnloadRefused = (): void => app.quitRefused();
      const contents = new StandInWebContents({ devTools, preferences, handlers, onClosed, onUnloadRefused });
      app.emit('web-contents-created', {}, contents);
      return contents;
    },
    opened: (window) => void windows.add(window),
    closed(window) {
      windows.delete(window);
      app.windowClosed();
    },
    all: () => [...windows],
  });
  child.once('exit', () => {
    for (const window of windows) window.webContents.chromiumEnded();
  });
}

export { StandInWindow as BrowserWindow };
export { Menu } from './electron-menu.ts';

export const ipcMain = Object.assign(new EventEmitter(), {
  handle(channel: string, handler: (event: object, ...args: unknown[]) => unknown): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
});

/** Never emits an event. */
export const powerMonitor = new EventEmitter();

export const dialog = {
  showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
  showSaveDialog: async () => ({ canceled: true, filePath: '' }),
  showMessageBoxSync: () => 0,
  /** Waits for an answer, like a dialog waits for a user: a test calls `answerMessageBox(index)`. */
  showMessageBox: (...args: object[]) =>
    new Promise((resolve) => {
      Object.assign(globalThis, {
        // The first argument may be its window.
        shownMessageBox: args.at(-1),
        answerMessageBox: (response: number) => resolve({ response, checkboxChecked: false }),
      });
    }),
  showErrorBox(title: string, content: string): void {
    process.stderr.write(`${title}: ${content}\n`);
  },
};

export const shell = {
  openExternal: async () => undefined,
  showItemInFolder(): void {},
};

/** Without a keychain, a key file seals secrets, like in Electron. */
export const safeStorage = {
  isEncryptionAvailable: () => false,
};

export const session = { defaultSession };

export const screen = {
  getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }),
};

/** The system's theme is light. */
export const nativeTheme = {
  themeSource: 'system',
  get shouldUseDarkColors(): boolean {
    return this.themeSource === 'dark';
  },
};

export const webContents = {
  fromDevToolsTargetId: (id: string): StandInWebContents | null =>
    [...windows].map((window) => window.webContents).find((contents) => contents.devToolsTargetId === id) ?? null,
};

const electron = { app, BrowserWindow: StandInWindow, ipcMain, dialog, shell, session, screen, webContents };
// oxlint-disable-next-line import/no-default-export -- libraries import Electron, a CommonJS module, by it
export default electron;
