import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { desktopChannels, type DesktopChannelName } from '../../../preload/contract/desktop-channels.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { registerBridge, type BridgeOptions } from '../../../main/shell/bridge-handlers.ts';

const ownOrigin = 'http://127.0.0.1:8080';
const names = Object.keys(desktopChannels) as DesktopChannelName[];

type Handler = (event: object, value: unknown) => Promise<unknown>;

const contents = { name: 'the page' };
const ownFrame = { url: `${ownOrigin}/tasks/5`, parent: null };
const ownEvent = { sender: contents, senderFrame: ownFrame };

let handlers: Map<string, Handler>;
let dialogs: object[];
let opened: string[];

/** The bridge on recording fakes; Electron itself is not loaded. */
beforeEach(() => {
  handlers = new Map();
  dialogs = [];
  opened = [];
  const show = async (_window: unknown, options: object) => {
    dialogs.push(options);
    return { canceled: false, filePaths: ['/chosen'], filePath: '/chosen' };
  };
  const parts = {
    ipcMain: { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) },
    dialog: { showOpenDialog: show, showSaveDialog: show },
    shell: { showItemInFolder: () => undefined },
    window: { isDestroyed: () => false, webContents: contents },
    ownOrigin,
    log: createSilentLogger(),
    opened: (paths: readonly string[]) => void opened.push(...paths),
    setLanguage: () => undefined,
    setColorScheme: () => undefined,
    takeWaitingEvents: () => [],
  };
  registerBridge(parts as unknown as BridgeOptions);
});

function send(name: DesktopChannelName, value: unknown, event: object = ownEvent): Promise<unknown> {
  const handler = handlers.get(desktopChannels[name]);
  if (handler === undefined) throw new Error(`No handler for ${name}`);
  return handler(event, value);
}

describe('every message of the bridge', () => {
  it.each(names)('%s has a handler', (name) => {
    expect(handlers.has(desktopChannels[name])).toBe(true);
  });

  const good: Record<DesktopChannelName, unknown> = {
    openFiles: {},
    openFolders: {},
    saveFile: {},
    revealInFolder: '/',
    setLanguage: 'de',
    setColorScheme: 'dark',
    ready: null,
  };
  it.each(names)('%s is accepted from the own page', async (name) => {
    await expect(send(name, good[name])).resolves.toBeDefined();
  });

  const foreign = {
    'another origin': { sender: contents, senderFrame: { url: 'https://example.com/', parent: null } },
    'another port': { sender: contents, senderFrame: { url: 'http://127.0.0.1:8081/', parent: null } },
    'a frame inside the page': { sender: contents, senderFrame: { url: `${ownOrigin}/`, parent: ownFrame } },
    'another window': { sender: { name: 'another' }, senderFrame: ownFrame },
    'a frame that is gone': { sender: contents, senderFrame: null },
  };
  it.each(names.flatMap((name) => Object.entries(foreign).map(([who, event]) => [name, who, event] as const)))(
    '%s is refused from %s',
    async (name, _who, event) => {
      await expect(send(name, good[name], event)).rejects.toThrow('accepted only from the page');
      expect(dialogs).toEqual([]);
    },
  );

  it.each(names)('%s survives any value: it answers, or it is refused', async (name) => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
    const nearly = fc.record(
      { title: fc.anything(), defaultPath: fc.anything(), filters: fc.anything(), multiple: fc.anything() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, nearly, fc.string()), async (value) => {
        const outcome = await send(name, value).then(
          () => 'answered',
          (error: unknown) => (error as Error).message,
        );
        expect(outcome).toMatch(/^answered$|does not match its schema/);
      }),
      // A length that cannot be converted to text made the schema check itself throw.
      { numRuns: 2000, examples: [[{ length: Object.create(null) }]] },
    );
    for (const options of dialogs) {
      expect(Object.keys(options).every((key) => ['title', 'defaultPath', 'filters', 'properties'].includes(key))).toBe(
        true,
      );
    }
  });
});

it('a dialog selects several files unless one is requested', async () => {
  await send('openFiles', { title: 'Choose' });
  await send('openFiles', { multiple: false });
  await send('openFolders', {});
  expect(opened).toEqual(['/chosen', '/chosen', '/chosen']);
  expect(dialogs).toEqual([
    { title: 'Choose', properties: ['openFile', 'multiSelections'] },
    { properties: ['openFile'] },
    { properties: ['openDirectory', 'multiSelections'] },
  ]);
});
