import {
  BrowserWindow as ElectronWindow,
  type BrowserWindow,
  type NativeTheme,
  type Rectangle,
  type Screen,
} from 'electron';
import type { Settings, SettingsValues } from '../platform/settings.ts';
import { secureWebPreferences } from './security.ts';

export interface WindowOptions {
  readonly preloadFile: string;
  readonly iconFile: string;
  readonly settings: Settings;
  readonly screen: Screen;
  readonly nativeTheme: NativeTheme;
}

const defaultSize = { width: 1440, height: 900 };
const smallestSize = { minWidth: 800, minHeight: 600 };
const saveDelayMs = 400;

/** The page's background colours. The window has one until the first paint, which prevents a flash. */
export const backgroundOf = ({ shouldUseDarkColors }: NativeTheme): string =>
  shouldUseDarkColors ? '#16181d' : '#ffffff';

/** Shows an empty window at its last position if that is still on a screen. */
export function createWindow({ preloadFile, iconFile, settings, screen, nativeTheme }: WindowOptions): BrowserWindow {
  const window = new ElectronWindow({
    ...(visibleBounds(settings.get('windowBounds'), screen) ?? defaultSize),
    ...smallestSize,
    show: false,
    title: 'Limner',
    icon: iconFile,
    backgroundColor: backgroundOf(nativeTheme),
    webPreferences: { ...secureWebPreferences, preload: preloadFile },
  });
  if (settings.get('windowMaximized')) window.maximize();
  window.show();
  // Starts the process of the page, in parallel to the service.
  window.loadURL('about:blank').catch(() => undefined);
  rememberPlace(window, settings);
  return window;
}

function visibleBounds(
  bounds: SettingsValues['windowBounds'],
  screen: Screen,
): NonNullable<SettingsValues['windowBounds']> | null {
  if (bounds === null) return null;
  const area = screen.getDisplayMatching(bounds).workArea;
  const isVisible =
    bounds.x < area.x + area.width - 100 &&
    bounds.x + bounds.width > area.x + 100 &&
    bounds.y >= area.y - 20 &&
    bounds.y < area.y + area.height - 100;
  return isVisible ? fit(bounds, area) : null;
}

/** The screen may have become smaller since the last start. */
function fit(bounds: Rectangle, area: Rectangle): Rectangle {
  const width = Math.min(bounds.width, area.width);
  const height = Math.min(bounds.height, area.height);
  return {
    x: Math.max(area.x, Math.min(bounds.x, area.x + area.width - width)),
    y: Math.max(area.y, Math.min(bounds.y, area.y + area.height - height)),
    width,
    height,
  };
}

function rememberPlace(window: BrowserWindow, settings: Settings): void {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    if (window.isDestroyed() || window.isMinimized()) return;
    settings.set('windowMaximized', window.isMaximized());
    settings.set('windowBounds', window.getNormalBounds());
  };
  const saveSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, saveDelayMs);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('close', () => {
    clearTimeout(timer);
    save();
  });
}
