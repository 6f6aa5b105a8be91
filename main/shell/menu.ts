import { basename } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../../preload/contract/desktop-bridge.ts';
import { named, type ShellTexts } from './shell-texts.ts';

export interface MenuOptions {
  readonly texts: ShellTexts;
  readonly isMac: boolean;
  readonly isDeveloper: boolean;
  readonly applicationName: string;
  readonly recent: readonly string[];
  readonly run: (command: MenuCommand) => void;
  readonly openPath: (path: string) => void;
  readonly clearRecent: () => void;
  readonly showDataDirectory: () => void;
  readonly showLogs: () => void;
  readonly showAbout: () => void;
}

type Item = MenuItemConstructorOptions;

const line: Item = { type: 'separator' };

/**
 * Builds the native menu. Undo and redo have no accelerators here, so that the page's own shortcuts work as in the
 * browser.
 */
export function menuTemplate(options: MenuOptions): Item[] {
  const { isMac, texts } = options;
  return [
    ...(isMac ? [applicationMenu(options)] : []),
    fileMenu(options),
    editMenu(options),
    viewMenu(options),
    ...(isMac ? [{ role: 'windowMenu', label: plain(texts.window) } as const] : []),
    helpMenu(options),
  ];
}

/** macOS would show the ampersand that marks the underlined letter elsewhere. */
const plain = (label: string): string => label.replace('&', '');

function applicationMenu({ texts, applicationName, run, showAbout }: MenuOptions): Item {
  return {
    label: applicationName,
    submenu: [
      { label: named(texts.about, applicationName), click: showAbout },
      line,
      { label: texts.settings, accelerator: 'Command+,', click: () => run('preferences') },
      line,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      line,
      { role: 'quit' },
    ],
  };
}

function fileMenu({ texts, isMac, run, showDataDirectory, ...options }: MenuOptions): Item {
  return {
    label: texts.file,
    submenu: [
      { label: texts.newTask, accelerator: 'CmdOrCtrl+N', click: () => run('new-task') },
      { label: texts.newProject, accelerator: 'CmdOrCtrl+Shift+N', click: () => run('new-project') },
      line,
      { label: texts.openImages, accelerator: 'CmdOrCtrl+O', click: () => run('open-images') },
      { label: texts.openFolder, accelerator: 'CmdOrCtrl+Shift+O', click: () => run('open-folder') },
      recentMenu(texts, options),
      line,
      { label: texts.importAnnotations, click: () => run('import-annotations') },
      { label: texts.exportDataset, accelerator: 'CmdOrCtrl+E', click: () => run('export-dataset') },
      { label: texts.restoreBackup, click: () => run('open-backup') },
      line,
      { label: texts.showData, click: showDataDirectory },
      line,
      ...(isMac
        ? [{ role: 'close' } as const]
        : [
            { label: texts.settings, accelerator: 'Ctrl+,', click: () => run('preferences') },
            line,
            { role: 'quit', label: texts.quit } as const,
          ]),
    ],
  };
}

function recentMenu(
  texts: ShellTexts,
  { recent, openPath, clearRecent }: Pick<MenuOptions, 'recent' | 'openPath' | 'clearRecent'>,
): Item {
  const shown = recent.map((path): Item => ({
    label: basename(path).replaceAll('&', '&&'),
    toolTip: path,
    click: () => openPath(path),
  }));
  return {
    label: texts.openRecent,
    enabled: recent.length > 0,
    submenu: recent.length > 0 ? [...shown, line, { label: texts.clearRecent, click: clearRecent }] : [],
  };
}

function editMenu({ texts, run }: MenuOptions): Item {
  return {
    label: texts.edit,
    submenu: [
      { label: texts.undo, click: () => run('undo') },
      { label: texts.redo, click: () => run('redo') },
      line,
      { role: 'cut', label: texts.cut },
      { role: 'copy', label: texts.copy },
      { role: 'paste', label: texts.paste },
      { role: 'delete', label: texts.delete },
      { role: 'selectAll', label: texts.selectAll },
    ],
  };
}

function viewMenu({ texts, isDeveloper }: MenuOptions): Item {
  return {
    label: texts.view,
    submenu: [
      { role: 'reload', label: texts.reload },
      ...(isDeveloper ? [{ role: 'toggleDevTools' } as const] : []),
      line,
      { label: texts.largerText, role: 'zoomIn' },
      { label: texts.smallerText, role: 'zoomOut' },
      { label: texts.normalText, role: 'resetZoom' },
      line,
      { role: 'togglefullscreen', label: texts.fullScreen },
    ],
  };
}

function helpMenu({ texts, isMac, applicationName, run, showAbout, showLogs }: MenuOptions): Item {
  return {
    label: texts.help,
    submenu: [
      { label: named(texts.helpPages, applicationName), click: () => run('help') },
      { label: texts.shortcuts, click: () => run('shortcuts') },
      { label: texts.showLogs, click: showLogs },
      ...(isMac ? [] : [{ label: named(texts.about, applicationName), click: showAbout }]),
    ],
  };
}
