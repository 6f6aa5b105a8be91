import type { BrowserWindow } from 'electron';
import type { DesktopEvent } from '../../preload/contract/desktop-bridge.ts';
import { desktopEventChannel } from '../../preload/contract/desktop-channels.ts';

export interface EventChannel {
  /** Sends to the page, or keeps the event until the page listens. */
  send(event: DesktopEvent): void;
  /** What came before the page listened; from then on events are sent at once. */
  takeWaiting(): DesktopEvent[];
}

export function createEventChannel(window: () => BrowserWindow | null): EventChannel {
  let waiting: DesktopEvent[] | null = [];
  return {
    send(event) {
      const target = window();
      if (waiting !== null) waiting.push(event);
      else if (target !== null && !target.isDestroyed()) target.webContents.send(desktopEventChannel, event);
    },
    takeWaiting() {
      const events = waiting ?? [];
      waiting = null;
      return events;
    },
  };
}
