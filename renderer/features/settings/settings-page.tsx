import {
  IconArchive,
  IconBuilding,
  IconChartBar,
  IconCpu,
  IconDatabase,
  IconFileSettings,
  IconFileText,
  IconFingerprint,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconKeyboard,
  IconLanguage,
  IconPalette,
  IconMovie,
  IconNetwork,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, notFound, useNavigate } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Select } from '../../ui/kit.ts';
import { Page } from '../../ui/page.tsx';
import { AboutSection } from './about-section.tsx';
import { AccountSection } from './account-section.tsx';
import { AnalyticsSection } from './analytics-section.tsx';
import { ApiAccessSection } from './api-access-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { BackupSection } from './backup/backup-section.tsx';
import { FunctionsSection } from './functions-section.tsx';
import { HistorySection } from './history/history-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { LogsSection } from './logs/logs-section.tsx';
import { NetworkSection } from './network-section.tsx';
import { SettingsFileSection } from './settings-file-section.tsx';
import { ShortcutsSection, type ShortcutsProps } from './shortcuts/shortcuts-section.tsx';
import { StorageSection } from './storage/storage-section.tsx';
import { SshKeysSection } from './ssh-keys/ssh-keys-section.tsx';
import { UsersSection } from './users/users-section.tsx';
import { VideoSection } from './video-section.tsx';
import classes from './settings-page.module.css';

interface Section {
  readonly id: string;
  readonly key:
    | 'settings.appearance.title'
    | 'keys.title'
    | 'language.title'
    | 'backup.title'
    | 'storage.title'
    | 'videoSettings.title'
    | 'functionSettings.title'
    | 'network.title'
    | 'settingsFile.title'
    | 'settings.account.title'
    | 'settings.api.title'
    | 'sshKeys.title'
    | 'analytics.title'
    | 'users.title'
    | 'history.title'
    | 'logs.title'
    | 'settings.about.title';
  readonly icon: ReactNode;
  readonly content: ComponentType<ShortcutsProps>;
  readonly isForAdmins?: true;
}

const sections: readonly Section[] = [
  {
    id: 'appearance',
    key: 'settings.appearance.title',
    icon: <IconPalette size={16} stroke={1.5} />,
    content: AppearanceSection,
  },
  { id: 'language', key: 'language.title', icon: <IconLanguage size={16} stroke={1.5} />, content: LanguageSection },
  { id: 'shortcuts', key: 'keys.title', icon: <IconKeyboard size={16} stroke={1.5} />, content: ShortcutsSection },
  {
    id: 'storage',
    key: 'storage.title',
    icon: <IconDatabase size={16} stroke={1.5} />,
    content: StorageSection,
    isForAdmins: true,
  },
  {
    id: 'backup',
    key: 'backup.title',
    icon: <IconArchive size={16} stroke={1.5} />,
    content: BackupSection,
    isForAdmins: true,
  },
  {
    id: 'video',
    key: 'videoSettings.title',
    icon: <IconMovie size={16} stroke={1.5} />,
    content: VideoSection,
    isForAdmins: true,
  },
  {
    id: 'functions',
    key: 'functionSettings.title',
    icon: <IconCpu size={16} stroke={1.5} />,
    content: FunctionsSection,
    isForAdmins: true,
  },
  {
    id: 'network',
    key: 'network.title',
    icon: <IconNetwork size={16} stroke={1.5} />,
    content: NetworkSection,
    isForAdmins: true,
  },
  {
    id: 'file',
    key: 'settingsFile.title',
    icon: <IconFileSettings size={16} stroke={1.5} />,
    content: SettingsFileSection,
    isForAdmins: true,
  },
  { id: 'account', key: 'settings.account.title', icon: <IconUser size={16} stroke={1.5} />, content: AccountSection },
  { id: 'api-access', key: 'settings.api.title', icon: <IconKey size={16} stroke={1.5} />, content: ApiAccessSection },
  { id: 'ssh-keys', key: 'sshKeys.title', icon: <IconFingerprint size={16} stroke={1.5} />, content: SshKeysSection },
  { id: 'analytics', key: 'analytics.title', icon: <IconChartBar size={16} stroke={1.5} />, content: AnalyticsSection },
  {
    id: 'users',
    key: 'users.title',
    icon: <IconUsers size={16} stroke={1.5} />,
    content: UsersSection,
    isForAdmins: true,
  },
  {
    id: 'history',
    key: 'history.title',
    icon: <IconHistory size={16} stroke={1.5} />,
    content: HistorySection,
    isForAdmins: true,
  },
  {
    id: 'log',
    key: 'logs.title',
    icon: <IconFileText size={16} stroke={1.5} />,
    content: LogsSection,
    isForAdmins: true,
  },
  { id: 'about', key: 'settings.about.title', icon: <IconInfoCircle size={16} stroke={1.5} />, content: AboutSection },
];

const organizations = 'organizations';

/** What a person sets for themselves, and what programs need to reach the service. */
export function SettingsPage({ section, ...given }: ShortcutsProps & { readonly section: string }) {
  const t = useText();
  const navigate = useNavigate();
  const self = useQuery(queries.self()).data;
  const isAdmin = self?.is_superuser === true;
  const chosen = sections.find((one) => one.id === section);
  const isOpen = chosen?.isForAdmins !== true || self === undefined || isAdmin;
  const Content = isOpen ? chosen?.content : undefined;
  // The router answers with its page for addresses that lead nowhere.
  if (Content === undefined) throw notFound();
  const shown = sections.filter(({ isForAdmins }) => isAdmin || isForAdmins !== true);
  const places = [
    ...shown.map(({ id, key }) => ({ value: id, label: t(key) })),
    { value: organizations, label: t('app.organizations') },
  ];
  const go = (place: string): void =>
    void (place === organizations
      ? navigate({ to: '/organizations' })
      : navigate({ to: '/settings/$section', params: { section: place } }));
  return (
    <Page
      title={t('settings.title')}
      actions={
        <Select
          className={classes.menu ?? ''}
          size="xs"
          w={200}
          aria-label={t('settings.sections')}
          data={places}
          value={section}
          allowDeselect={false}
          onChange={(place) => place !== null && go(place)}
        />
      }
    >
      <div className={classes.columns}>
        <nav className={classes.nav} aria-label={t('settings.sections')}>
          {shown.map(({ id, key, icon }) => (
            <Link
              key={id}
              to="/settings/$section"
              params={{ section: id }}
              className={classes.link}
              activeProps={{ 'data-active': true }}
            >
              {icon}
              {t(key)}
            </Link>
          ))}
          <Link to="/organizations" className={classes.link}>
            <IconBuilding size={16} stroke={1.5} />
            {t('app.organizations')}
          </Link>
        </nav>
        <div className={classes.content}>
          <Content {...given} />
        </div>
      </div>
    </Page>
  );
}
