import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { BrowserWindow, Dialog, IpcMain, IpcMainInvokeEvent, OpenDialogOptions, Shell } from 'electron';
import type { z } from 'zod';
import {
  desktopMessages,
  type DesktopColorScheme,
  type DesktopEvent,
  type DesktopMessages,
} from '../../preload/contract/desktop-bridge.ts';
import {
  desktopChannels,
  desktopEventChannel,
  type DesktopChannelName,
} from '../../preload/contract/desktop-channels.ts';
import { defined } from '../platform/defined.ts';
import type { Logger } from '../platform/log.ts';
import { isOwnAddress } from './external-address.ts';

type InputOf<Name extends DesktopChannelName> = z.output<DesktopMessages[Name]['input']>;
type AnswerOf<Name extends DesktopChannelName> = z.input<DesktopMessages[Name]['output']>;
type Handlers = { readonly [Name in DesktopChannelName]: (input: InputOf<Name>) => Promise<AnswerOf<Name>> };

export interface BridgeOptions {
  readonly ipcMain: IpcMain;
  readonly dialog: Dialog;
  readonly shell: Shell;
  readonly window: BrowserWindow;
  readonly ownOrigin: string;
  readonly log: Logger;
  readonly opened: (paths: readonly string[]) => void;
  readonly setLanguage: (language: string) => void;
  readonly setColorScheme: (scheme: DesktopColorScheme) => void;
  /** Returns events from before the page listened; called once, when the page first listens. */
  readonly takeWaitingEvents: () => DesktopEvent[];
}

/**
 * Handles the bridge's messages. Accepts them only from the main frame of the program's own window on its own origin,
 * and only if they match their schema.
 */
export function registerBridge(options: BridgeOptions): void {
  const handlers = createHandlers(options);
  for (const name of Object.keys(desktopChannels) as DesktopChannelName[]) register(name, handlers, options);
}

function register(name: DesktopChannelName, handlers: Handlers, { ipcMain, window, ownOrigin, log }: BridgeOptions) {
  const { input, output } = desktopMessages[name];
  // Handler and schema belong to the same name, but the loop over names loses that type.
  const handle = handlers[name] as (value: unknown) => Promise<unknown>;
  ipcMain.handle(desktopChannels[name], async (event, value: unknown) => {
    if (!isTrustedSender(event, window, ownOrigin)) {
      log.warn('Rejected a message from an external page', { message: name });
      throw new Error('Messages are accepted only from the page of this program.');
    }
    const parsed = checked(input, value);
    if (parsed === null) {
      log.warn('Rejected a message that does not match its schema', { message: name });
      throw new Error(`The message ${name} does not match its schema.`);
    }
    return output.parse(await handle(parsed.data));
  });
}

/** Returns null if the value does not match, or if the check itself throws (for example on a hostile getter). */
function checked(schema: z.ZodType, value: unknown): { readonly data: unknown } | null {
  try {
    const { success, data } = schema.safeParse(value);
    return success ? { data } : null;
  } catch {
    return null;
  }
}

function isTrustedSender(event: IpcMainInvokeEvent, window: BrowserWindow, ownOrigin: string): boolean {
  const frame = event.senderFrame;
  return (
    frame !== null &&
    !window.isDestroyed() &&
    event.sender === window.webContents &&
    frame.parent === null &&
    isOwnAddress(frame.url, ownOrigin)
  );
}

function createHandlers({ dialog, shell, window, ...options }: BridgeOptions): Handlers {
  const open = async (
    { multiple, ...given }: InputOf<'openFiles'>,
    kind: 'openFile' | 'openDirectory',
  ): Promise<string[]> => {
    const request: OpenDialogOptions = {
      // Electron accepts absent options but not undefined ones.
      ...defined(given),
      properties: [kind, ...(multiple === false ? [] : (['multiSelections'] as const))],
    };
    const { canceled, filePaths } = await dialog.showOpenDialog(window, request);
    if (canceled) return [];
    options.opened(filePaths);
    return filePaths;
  };
  return {
    openFiles: (input) => open(input, 'openFile'),
    openFolders: (input) => open(input, 'openDirectory'),
    async saveFile(given) {
      const { canceled, filePath } = await dialog.showSaveDialog(window, defined(given));
      return canceled || filePath === '' ? null : filePath;
    },
    async revealInFolder(path) {
      if (!isAbsolute(path)) return false;
      const exists = await stat(path).then(
        () => true,
        () => false,
      );
      if (exists) shell.showItemInFolder(path);
      return exists;
    },
    async setLanguage(language) {
      options.setLanguage(language);
      return null;
    },
    async setColorScheme(scheme) {
      options.setColorScheme(scheme);
      return null;
    },
    ready: async () => options.takeWaitingEvents(),
  };
}

export function createEventChannel(window: () => BrowserWindow | null) {
  let waiting: DesktopEvent[] | null = [];
  return {
    /** Sends the event, or stores it until the page listens. */
    send(event: DesktopEvent): void {
      const target = window();
      if (waiting !== null) waiting.push(event);
      else if (target !== null && !target.isDestroyed()) target.webContents.send(desktopEventChannel, event);
    },
    takeWaiting(): DesktopEvent[] {
      const events = waiting ?? [];
      waiting = null;
      return events;
    },
  };
}
