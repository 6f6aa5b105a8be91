import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { BrowserWindow, Dialog, IpcMain, IpcMainInvokeEvent, OpenDialogOptions, Shell } from 'electron';
import type { z } from 'zod';
import { desktopMessages, type DesktopEvent, type DesktopMessages } from '../../preload/contract/desktop-bridge.ts';
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
  /** What the person chose to open. */
  readonly opened: (paths: readonly string[]) => void;
  readonly setLanguage: (language: string) => void;
  /** Events that waited for the page; called once, when the page first listens. */
  readonly takeWaitingEvents: () => DesktopEvent[];
}

/**
 * Answers the bridge's messages. Each is taken only from the main frame of the program's own window on the program's
 * own origin, and only if it fits its schema.
 */
export function registerBridge(options: BridgeOptions): void {
  const handlers = createHandlers(options);
  for (const name of Object.keys(desktopChannels) as DesktopChannelName[]) register(name, handlers, options);
}

function register(name: DesktopChannelName, handlers: Handlers, { ipcMain, window, ownOrigin, log }: BridgeOptions) {
  const { input, output } = desktopMessages[name];
  // Handler and schema belong to the same name; the type of the pair is lost in the loop over names.
  const handle = handlers[name] as (value: unknown) => Promise<unknown>;
  ipcMain.handle(desktopChannels[name], async (event, value: unknown) => {
    if (!isTrustedSender(event, window, ownOrigin)) {
      log.warn('A message from a foreign page was refused', { message: name });
      throw new Error('This message is not accepted from here.');
    }
    const parsed = checked(input, value);
    if (parsed === null) {
      log.warn('A message that does not fit its schema was refused', { message: name });
      throw new Error(`The message ${name} does not fit its schema.`);
    }
    return output.parse(await handle(parsed.data));
  });
}

/** Null: it does not fit, or is such that the check itself fails over it. */
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
      // Electron's options may be absent, but not undefined.
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
    ready: async () => options.takeWaitingEvents(),
  };
}

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
