import type { App, Session, Shell, WebContents } from 'electron';
import type { Logger } from '../platform/log.ts';
import { externalAddress, isOwnAddress } from './external-address.ts';

/** Preferences of every window. The tests read them back from the running window. */
export const secureWebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const;

export interface GuardOptions {
  readonly app: App;
  readonly session: Session;
  readonly shell: Shell;
  /** Empty until the service has an address. */
  readonly ownOrigin: () => string;
  readonly log: Logger;
}

/** Pages may write text to the clipboard after a click. All other permissions are denied. */
const grantedToOwnPages: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Rules for every page of the program: no permissions, no external pages, no further windows. */
export function guardPages({ app, session, shell, ownOrigin, log }: GuardOptions): void {
  const isGranted = (permission: string, address: string): boolean =>
    grantedToOwnPages.has(permission) && isOwnAddress(address, ownOrigin());
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const granted = isGranted(permission, details.requestingUrl);
    if (!granted) log.warn('Denied a permission that a page requested', { permission });
    callback(granted);
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isGranted(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
  app.on('web-contents-created', (_event, contents) => guardContents(contents, { shell, ownOrigin, log }));
}

function guardContents(contents: WebContents, { shell, ownOrigin, log }: Omit<GuardOptions, 'app' | 'session'>): void {
  const keepInside = (event: { preventDefault(): void }, address: string): void => {
    if (isOwnAddress(address, ownOrigin())) return;
    event.preventDefault();
    log.warn('Stopped a page from navigating to another site', { scheme: schemeOf(address) });
  };
  contents.on('will-navigate', (event) => keepInside(event, event.url));
  contents.on('will-redirect', (event) => keepInside(event, event.url));
  contents.on('will-frame-navigate', (event) => keepInside(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = isOwnAddress(url, ownOrigin()) ? null : externalAddress(url);
    if (address === null) log.warn('Stopped a page from opening a window', { scheme: schemeOf(url) });
    else void shell.openExternal(address);
    return { action: 'deny' };
  });
}

function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : 'unknown';
}
