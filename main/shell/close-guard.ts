import type { BrowserWindow, Dialog } from 'electron';
import type { ShellTexts } from './shell-texts.ts';

const retryMs = 300;
const maxRetries = 10;

/**
 * The page refuses to unload while it saves edits, which takes a fraction of a second. Electron shows nothing in that
 * case, so this retries, and asks the user only if that does not help.
 */
export function closeWhenSaved(window: BrowserWindow, dialog: Dialog, texts: () => ShellTexts): void {
  let retries = 0;
  window.webContents.on('will-prevent-unload', (event) => {
    retries += 1;
    if (retries <= maxRetries) {
      setTimeout(() => {
        if (!window.isDestroyed()) window.close();
      }, retryMs);
      return;
    }
    retries = 0;
    const { notSaved, notSavedDetail, keepOpen, closeAndLose } = texts();
    const answer = dialog.showMessageBoxSync(window, {
      type: 'warning',
      message: notSaved,
      detail: notSavedDetail,
      buttons: [keepOpen, closeAndLose],
      defaultId: 0,
      cancelId: 0,
    });
    if (answer === 1) event.preventDefault();
  });
}
