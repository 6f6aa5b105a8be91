type RequestHandler = (
  contents: null,
  permission: string,
  callback: (granted: boolean) => void,
  details: { readonly requestingUrl: string },
) => void;

let permissionRequest: RequestHandler | null = null;

export const defaultSession = {
  setPermissionRequestHandler(handler: RequestHandler | null): void {
    permissionRequest = handler;
  },
  setPermissionCheckHandler(): void {},
  setDevicePermissionHandler(): void {},
};

const permissions = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['media', 'camera'],
  ['media', 'microphone'],
  ['clipboard-read', 'clipboardReadWrite'],
] as const;

/** Chromium's answers to its pages, from the shell's handler. Without a handler, Electron grants everything. */
export function permissionSettings(): { readonly name: string; readonly setting: 'granted' | 'denied' }[] {
  return permissions.map(([electronName, chromiumName]) => {
    let granted = permissionRequest === null;
    const answer = (allowed: boolean): void => {
      granted = allowed;
    };
    permissionRequest?.(null, electronName, answer, { requestingUrl: 'about:blank' });
    return { name: chromiumName, setting: granted ? 'granted' : 'denied' };
  });
}
