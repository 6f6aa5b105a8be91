import {
  IconBucket,
  IconBuilding,
  IconChecklist,
  IconCloud,
  IconCpu,
  IconFolders,
  IconHelp,
  IconKey,
  IconKeyboard,
  IconListDetails,
  IconPhoto,
  IconPhotoPlus,
  IconSettings,
  IconWebhook,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../i18n/index.ts';
import { useHelp, useScreenCommands } from '../shared/commands.ts';
import { useOpenHelp } from '../shared/help/find-help.ts';
import { CommandPalette, type PaletteItem } from '../ui/command-palette.tsx';
import { useColorScheme } from '../ui/kit.ts';
import { fits, useFoundItems, useHelpItems, waitMessage } from './found-items.tsx';
import { schemes } from './theme-menu.tsx';

const size = 18;
type Page =
  | '/projects'
  | '/tasks'
  | '/tasks/new'
  | '/jobs'
  | '/models'
  | '/models/new'
  | '/remote'
  | '/requests'
  | '/cloudstorages'
  | '/webhooks'
  | '/organizations';

/** Ctrl+K: tasks, jobs, labels and projects, commands of the open screen, pages and themes. */
export function AppPalette() {
  const t = useText();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const found = useFoundItems(query);
  const { setColorScheme } = useColorScheme();
  const commands = useScreenCommands((state) => state.commands);
  const setKeys = useHelp((state) => state.set);
  const openHelp = useOpenHelp();
  const helpItems = useHelpItems(query);
  const go = (to: Page) => (): void => void navigate({ to });
  const settings = (section: 'appearance' | 'api-access') => (): void =>
    void navigate({ to: '/settings/$section', params: { section } });
  const group = t('palette.goTo');
  const commandItems: PaletteItem[] = [
    ...commands.map((command) => ({ ...command, group: t('palette.actions') })),
    { id: 'tasks', group, label: t('app.tasks'), icon: <IconPhoto size={size} />, run: go('/tasks') },
    { id: 'projects', group, label: t('app.projects'), icon: <IconFolders size={size} />, run: go('/projects') },
    { id: 'requests', group, label: t('app.requests'), icon: <IconListDetails size={size} />, run: go('/requests') },
    { id: 'jobs', group, label: t('app.jobs'), icon: <IconChecklist size={size} />, run: go('/jobs') },
    { id: 'models', group, label: t('app.models'), icon: <IconCpu size={size} />, run: go('/models') },
    { id: 'new-model', group, label: t('models.deploy'), icon: <IconCpu size={size} />, run: go('/models/new') },
    { id: 'buckets', group, label: t('app.buckets'), icon: <IconBucket size={size} />, run: go('/cloudstorages') },
    { id: 'remote', group, label: t('remote.title'), icon: <IconCloud size={size} />, run: go('/remote') },
    { id: 'webhooks', group, label: t('app.webhooks'), icon: <IconWebhook size={size} />, run: go('/webhooks') },
    { id: 'new-task', group, label: t('tasks.new'), icon: <IconPhotoPlus size={size} />, run: go('/tasks/new') },
    {
      id: 'help',
      group,
      label: t('app.help'),
      icon: <IconHelp size={size} />,
      shortcut: 'F1',
      run: () => openHelp(),
    },
    {
      id: 'keys',
      group,
      label: t('app.keys'),
      icon: <IconKeyboard size={size} />,
      shortcut: 'Shift+F1',
      run: () => setKeys(true),
    },
    {
      id: 'settings',
      group,
      label: t('app.settings'),
      icon: <IconSettings size={size} />,
      run: settings('appearance'),
    },
    {
      id: 'api-access',
      group,
      label: t('settings.api.title'),
      icon: <IconKey size={size} />,
      run: settings('api-access'),
    },
    {
      id: 'organizations',
      group,
      label: t('app.organizations'),
      icon: <IconBuilding size={size} />,
      run: go('/organizations'),
    },
    ...schemes.map((scheme) => ({
      id: `theme-${scheme.value}`,
      group: t('palette.appearance'),
      label: `${t('app.theme')}: ${t(scheme.key)}`,
      icon: scheme.icon,
      run: () => setColorScheme(scheme.value),
    })),
  ];
  const words = waitMessage(query);
  const fitting = query.trimStart().startsWith('#') ? [] : commandItems.filter((item) => fits(item, words));
  return (
    <CommandPalette
      name={t('app.palette')}
      query={query}
      onQuery={setQuery}
      items={[...found.items, ...fitting, ...helpItems]}
      placeholder={t('palette.placeholder')}
      nothing={found.nothing}
    />
  );
}
