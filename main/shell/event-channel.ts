import type { BrowserWindow } from 'electron';
import type { DesktopEvent } from '../../preload/contract/desktop-bridge.ts';
import { desktopEventChannel } from '../../preload/contract/desktop-channels.ts';

export function createEventChannel(window: () => BrowserWindow | null) {
  let waiting: DesktopEvent[] | null = [];
  return {
    /** Sends to the page, or keeps the event until the page listens. */
    send(event: DesktopEvent): void {
      const target = window();
      if (waiting !== null) waiting.push(event);
      else if (target !== null && !target.isDestroyed()) target.webContents.send(desktopEventChannel, event);
    },
    /** What came before the page listened; from then on events are sent at once. */
    takeWaiting(): DesktopEvent[] {
      const events = waiting ?? [];
      waiting = null;
      return events;
    },
  };
}
