import type { DesktopBridge } from '../../preload/contract/desktop-bridge.ts';

declare global {
  interface Window {
    /** Only in the desktop app. */
    readonly desktop?: DesktopBridge;
  }
}

export const desktop = (): DesktopBridge | undefined => window.desktop;

/** Paths of dropped files and folders if the desktop app knows all of them; empty in a browser. */
export function pathsOfDrop(transfer: DataTransfer): string[] {
  const bridge = desktop();
  if (bridge === undefined) return [];
  const paths = [...transfer.files].map((file) => bridge.pathForFile(file));
  return paths.includes('') ? [] : paths;
}
