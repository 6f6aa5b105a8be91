import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { guardPages, type GuardOptions } from '../../../main/shell/security.ts';

const ownOrigin = 'http://127.0.0.1:8080';

type RequestHandler = (
  contents: null,
  permission: string,
  callback: (granted: boolean) => void,
  details: { requestingUrl: string },
) => void;
type CheckHandler = (contents: null, permission: string, origin: string) => boolean;

let request: RequestHandler;
let check: CheckHandler;
let device: () => boolean;
let openWindow: (details: { url: string }) => { action: string };
let contents: EventEmitter;
let opened: string[];

/** The rules on recording fakes; Electron itself is not loaded. */
beforeEach(() => {
  opened = [];
  const app = new EventEmitter();
  const parts = {
    app,
    session: {
      setPermissionRequestHandler: (handler: RequestHandler) => void (request = handler),
      setPermissionCheckHandler: (handler: CheckHandler) => void (check = handler),
      setDevicePermissionHandler: (handler: () => boolean) => void (device = handler),
    },
    shell: { openExternal: async (address: string) => void opened.push(address) },
    ownOrigin: () => ownOrigin,
    log: createSilentLogger(),
  };
  guardPages(parts as unknown as GuardOptions);
  contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: typeof openWindow) => void (openWindow = handler),
  });
  app.emit('web-contents-created', {}, contents);
});

function isGranted(permission: string, requestingUrl: string): boolean {
  let granted = true;
  request(null, permission, (answer) => void (granted = answer), { requestingUrl });
  expect(check(null, permission, new URL(requestingUrl).origin)).toBe(granted);
  return granted;
}

describe('permissions', () => {
  it.each([
    'media',
    'geolocation',
    'notifications',
    'midiSysex',
    'pointerLock',
    'openExternal',
    'clipboard-read',
    'display-capture',
    'fileSystem',
    'hid',
    'serial',
    'usb',
    'storage-access',
    'unknown',
  ])('never grants: %s', (permission) => {
    expect(isGranted(permission, `${ownOrigin}/tasks`)).toBe(false);
  });

  it('lets only the own page write to the clipboard, and grants no devices', () => {
    expect(isGranted('clipboard-sanitized-write', `${ownOrigin}/tasks`)).toBe(true);
    expect(isGranted('clipboard-sanitized-write', 'https://example.com/')).toBe(false);
    expect(device()).toBe(false);
  });
});

describe('navigation', () => {
  const isPrevented = (name: string, url: string): boolean => {
    let prevented = false;
    contents.emit(name, { url, preventDefault: () => void (prevented = true) });
    return prevented;
  };

  it.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])('%s stays on the service', (name) => {
    expect(isPrevented(name, `${ownOrigin}/jobs/5`)).toBe(false);
    for (const url of ['https://example.com/', 'http://127.0.0.1:9/', 'file:///etc/passwd', 'data:text/html,x']) {
      expect(isPrevented(name, url)).toBe(true);
    }
  });

  it('never attaches a webview', () => {
    expect(isPrevented('will-attach-webview', '')).toBe(true);
  });
});

it('never opens a further window; a web address is opened in the browser, any other one nowhere', () => {
  for (const url of ['https://example.com/manual', `${ownOrigin}/tasks`, 'file:///etc/passwd', 'nonsense']) {
    expect(openWindow({ url })).toEqual({ action: 'deny' });
  }
  expect(opened).toEqual(['https://example.com/manual']);
});
