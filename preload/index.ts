import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { DesktopBridge, DesktopEvent, DesktopPlatform } from './contract/desktop-bridge.ts';
import { desktopChannels, desktopEventChannel } from './contract/desktop-channels.ts';

const listeners = new Set<(event: DesktopEvent) => void>();
let isReady = false;

function deliver(event: DesktopEvent): void {
  for (const listener of listeners) listener(event);
}

ipcRenderer.on(desktopEventChannel, (_event, event: DesktopEvent) => deliver(event));

/** The main process stores events, such as an opened file, until the page first listens. */
async function fetchEarlierEvents(): Promise<void> {
  if (isReady) return;
  isReady = true;
  for (const event of (await ipcRenderer.invoke(desktopChannels.ready, null)) as DesktopEvent[]) deliver(event);
}

/** The main process checks the schema and sender of every message. Nothing of Electron is exposed to the page. */
const bridge: DesktopBridge = {
  // The desktop shell is built only for these platforms.
  platform: process.platform as DesktopPlatform,
  openFiles: (options = {}) => ipcRenderer.invoke(desktopChannels.openFiles, options),
  openFolders: (options = {}) => ipcRenderer.invoke(desktopChannels.openFolders, options),
  saveFile: (options = {}) => ipcRenderer.invoke(desktopChannels.saveFile, options),
  revealInFolder: (path) => ipcRenderer.invoke(desktopChannels.revealInFolder, path),
  setLanguage: (language) => ipcRenderer.invoke(desktopChannels.setLanguage, language),
  setColorScheme: (scheme) => ipcRenderer.invoke(desktopChannels.setColorScheme, scheme),
  pathForFile: (file) => (file instanceof File ? webUtils.getPathForFile(file) : ''),
  onEvent(listener) {
    listeners.add(listener);
    void fetchEarlierEvents();
    return () => void listeners.delete(listener);
  },
};

contextBridge.exposeInMainWorld('desktop', bridge);
