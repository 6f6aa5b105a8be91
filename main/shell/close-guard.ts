import type { BrowserWindow, Dialog } from 'electron';
import type { ShellTexts } from './shell-texts.ts';

const retryMs = 300;
const maxRetries = 10;

/**
 * The page refuses to unload while edits are on their way to the disk, which takes a fraction of a second. Electron
 * shows nothing then: closing is tried again, and only when that does not help the person is asked.
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
