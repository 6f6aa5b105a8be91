import { IconFolders, IconHelp, IconListDetails, IconPhoto, IconPhotoPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useText } from '../i18n/index.ts';
import { useHelp, useScreenCommands } from '../parts/commands/commands.ts';
import { CommandPalette, type PaletteItem } from '../ui/command-palette.tsx';
import { useColorScheme } from '../ui/kit.ts';
import { schemes } from './theme-menu.tsx';

const size = 18;

/** Ctrl+K: pages, themes, and the commands of the screen that is open. */
export function AppPalette() {
  const t = useText();
  const navigate = useNavigate();
  const { setColorScheme } = useColorScheme();
  const commands = useScreenCommands((state) => state.commands);
  const setHelp = useHelp((state) => state.set);
  const go = (to: '/projects' | '/tasks' | '/tasks/new' | '/requests') => (): void => void navigate({ to });
  const group = t('palette.goTo');
  const items: PaletteItem[] = [
    ...commands.map((command) => ({ ...command, group: t('palette.actions') })),
    { id: 'tasks', group, label: t('app.tasks'), icon: <IconPhoto size={size} />, run: go('/tasks') },
    { id: 'projects', group, label: t('app.projects'), icon: <IconFolders size={size} />, run: go('/projects') },
    { id: 'requests', group, label: t('app.requests'), icon: <IconListDetails size={size} />, run: go('/requests') },
    { id: 'new-task', group, label: t('tasks.new'), icon: <IconPhotoPlus size={size} />, run: go('/tasks/new') },
    {
      id: 'help',
      group,
      label: t('app.help'),
      icon: <IconHelp size={size} />,
      shortcut: 'F1',
      run: () => setHelp(true),
    },
    ...schemes.map((scheme) => ({
      id: `theme-${scheme.value}`,
      group: t('palette.appearance'),
      label: `${t('app.theme')}: ${t(scheme.key)}`,
      icon: scheme.icon,
      run: () => setColorScheme(scheme.value),
    })),
  ];
  return <CommandPalette items={items} placeholder={t('palette.placeholder')} nothingFound={t('palette.nothing')} />;
}
