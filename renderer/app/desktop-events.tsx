import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DesktopEvent, MenuCommand } from '../../preload/contract/desktop-bridge.ts';
import { archiveEndings, imageEndings, videoEndings } from '../../preload/contract/media-names.ts';
import { text } from '../i18n/index.ts';
import { isBackup, useOpenedBackup } from '../shared/backup/opened-backup.ts';
import { useHelp, useScreenCommands } from '../shared/commands.ts';
import { desktop } from '../shared/desktop.ts';
import { useOpenHelp } from '../shared/help/find-help.ts';
import { useOpenMedia } from '../features/work/task-creation/open-media.ts';
import { useColorScheme } from '../ui/kit.ts';

const mediaFilter = {
  name: 'Images, video and archives',
  extensions: [...imageEndings, ...videoEndings, ...archiveEndings],
};

const runOnScreen = (id: string): void => {
  useScreenCommands
    .getState()
    .commands.find((command) => command.id === id)
    ?.run();
};

/** Runs commands of the desktop app's menu, and opens the files it was started with. */
export function DesktopEvents() {
  const navigate = useNavigate();
  const open = useOpenMedia();
  const restore = useRestoreOpened();
  const openHelp = useOpenHelp();
  const { language } = useTranslation().i18n;
  const { colorScheme } = useColorScheme();
  const commands: Record<MenuCommand, () => void> = {
    'new-task': () => void navigate({ to: '/tasks/new' }),
    'new-project': () => void navigate({ to: '/projects', search: { create: true } }),
    'open-images': () =>
      void desktop()
        ?.openFiles({ multiple: true, filters: [mediaFilter] })
        .then(open.paths),
    'open-folder': () => void desktop()?.openFolders().then(open.paths),
    'open-backup': () =>
      void desktop()
        ?.openFiles({ filters: [{ name: text('backup.filter'), extensions: ['limner'] }] })
        .then(([path]) => path !== undefined && restore(path)),
    'import-annotations': () => runOnScreen('file.import'),
    'export-dataset': () => runOnScreen('file.export'),
    undo: () => runOnScreen('edit.undo'),
    redo: () => runOnScreen('edit.redo'),
    preferences: () => void navigate({ to: '/settings/$section', params: { section: 'appearance' } }),
    help: () => openHelp(),
    shortcuts: () => useHelp.getState().set(true),
  };
  const handle = (event: DesktopEvent): void => {
    if (event.type === 'menu') commands[event.command]();
    if (event.type === 'open-path') void (isBackup(event.path) ? restore(event.path) : open.paths([event.path]));
  };
  useEffect(() => {
    const bridge = desktop();
    void bridge?.setLanguage(language);
  }, [language]);
  useEffect(() => {
    void desktop()?.setColorScheme(colorScheme === 'auto' ? 'system' : colorScheme);
  }, [colorScheme]);
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(() => desktop()?.onEvent((event) => latest.current(event)), []);
  return null;
}

export function useRestoreOpened(): (path: string) => void {
  const navigate = useNavigate();
  const set = useOpenedBackup((state) => state.set);
  return (path) => {
    set(path);
    void navigate({ to: '/settings/$section', params: { section: 'backup' } });
  };
}
