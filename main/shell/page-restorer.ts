import type { App, BrowserWindow, Dialog } from 'electron';
import type { Logger } from '../platform/log.ts';
import { named, type ShellTexts } from './shell-texts.ts';

/** Number of crashes within `withinMs` after which the user is asked instead of reloading again. */
const maxCrashes = 3;
const withinMs = 60_000;
/** Delay before the second reload, in case the cause is temporary. */
const pauseMs = 1000;

interface PageRestorerDependencies {
  readonly app: Pick<App, 'on' | 'quit'>;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly window: BrowserWindow;
  readonly address: string;
  readonly applicationName: string;
  readonly texts: () => ShellTexts;
  readonly log: Logger;
}

/** Reloads the page after a crash. Asks the user if it keeps crashing or does not respond. */
export function restorePage({
  app,
  dialog,
  window,
  address,
  applicationName,
  texts,
  log,
}: PageRestorerDependencies): void {
  let ends: number[] = [];
  let isAsking = false;
  let opening: NodeJS.Timeout | undefined;
  const open = (): void => {
    if (!window.isDestroyed()) void window.loadURL(address).catch((error: unknown) => log.error('No page', { error }));
  };
  async function ask(message: string, detail: string, buttons: readonly [string, string]): Promise<number> {
    isAsking = true;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      title: applicationName,
      message: named(message, applicationName),
      detail,
      buttons: [...buttons],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    isAsking = false;
    return response;
  }

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error('The page crashed', { reason });
    if (window.isDestroyed() || reason === 'clean-exit') return;
    const now = Date.now();
    ends = [...ends.filter((at) => now - at < withinMs), now];
    if (ends.length === 1) return open();
    clearTimeout(opening);
    if (ends.length < maxCrashes) {
      opening = setTimeout(open, pauseMs);
      return;
    }
    ends = [];
    const { pageEnded, pageEndedDetail, openAgain, quit } = texts();
    void ask(pageEnded, pageEndedDetail, [openAgain, quit]).then((answer) => (answer === 0 ? open() : app.quit()));
  });
  window.on('unresponsive', () => {
    log.warn('The page does not respond');
    if (isAsking) return;
    const { pageHangs, pageHangsDetail, wait, loadAgain } = texts();
    // A page that hangs cannot unload, so its process is killed; `render-process-gone` then reloads it.
    const end = (): void => void (window.isDestroyed() || window.webContents.forcefullyCrashRenderer());
    void ask(pageHangs, pageHangsDetail, [wait, loadAgain]).then((answer) => (answer === 1 ? end() : undefined));
  });
  window.on('responsive', () => log.info('The page responds again'));
  app.on('child-process-gone', (_event, { type, reason, name }) => {
    if (reason !== 'clean-exit') log.error('A process of the window crashed', { type, reason, name });
  });
}
