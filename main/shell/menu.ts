import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../../preload/contract/desktop-bridge.ts';

export interface MenuOptions {
  readonly isMac: boolean;
  readonly isDeveloper: boolean;
  readonly applicationName: string;
  /** Sends a command to the page, which carries it out. */
  readonly run: (command: MenuCommand) => void;
  readonly showDataDirectory: () => void;
  readonly showLogs: () => void;
  readonly showAbout: () => void;
}

/**
 * The native menu. Undo and redo go to the page without an accelerator of their own: the page's shortcuts work the
 * same in the browser shell.
 */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  return [
    ...(options.isMac ? [applicationMenu(options)] : []),
    fileMenu(options),
    editMenu(options),
    viewMenu(options),
    helpMenu(options),
  ];
}

function applicationMenu({ applicationName, run, showAbout }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: applicationName,
    submenu: [
      { label: `About ${applicationName}`, click: showAbout },
      { type: 'separator' },
      { label: 'Settings…', accelerator: 'Command+,', click: () => run('preferences') },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

function fileMenu({ isMac, run, showDataDirectory }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&File',
    submenu: [
      { label: 'New task…', accelerator: 'CmdOrCtrl+N', click: () => run('new-task') },
      { label: 'New project…', accelerator: 'CmdOrCtrl+Shift+N', click: () => run('new-project') },
      { type: 'separator' },
      { label: 'Open images or video…', accelerator: 'CmdOrCtrl+O', click: () => run('open-images') },
      { label: 'Open folder…', accelerator: 'CmdOrCtrl+Shift+O', click: () => run('open-folder') },
      { type: 'separator' },
      { label: 'Import annotations…', click: () => run('import-annotations') },
      { label: 'Export dataset…', accelerator: 'CmdOrCtrl+E', click: () => run('export-dataset') },
      { label: 'Restore a backup…', click: () => run('open-backup') },
      { type: 'separator' },
      { label: 'Show data directory', click: showDataDirectory },
      { type: 'separator' },
      ...(isMac
        ? [{ role: 'close' } as const]
        : [
            { label: 'Settings…', accelerator: 'Ctrl+,', click: () => run('preferences') },
            { type: 'separator' } as const,
            { role: 'quit' } as const,
          ]),
    ],
  };
}

function editMenu({ run }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      { label: 'Undo', click: () => run('undo') },
      { label: 'Redo', click: () => run('redo') },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
    ],
  };
}

function viewMenu({ isDeveloper }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
      { role: 'reload' },
      ...(isDeveloper ? [{ role: 'toggleDevTools' } as const] : []),
      { type: 'separator' },
      { label: 'Larger text', role: 'zoomIn' },
      { label: 'Smaller text', role: 'zoomOut' },
      { label: 'Normal text', role: 'resetZoom' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
}

function helpMenu({ isMac, applicationName, run, showAbout, showLogs }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&Help',
    submenu: [
      { label: 'Keyboard shortcuts', click: () => run('shortcuts') },
      { label: 'Show logs', click: showLogs },
      ...(isMac ? [] : [{ label: `About ${applicationName}`, click: showAbout }]),
    ],
  };
}
