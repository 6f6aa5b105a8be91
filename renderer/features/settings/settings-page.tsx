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
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, notFound, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ChoiceField } from '../../ui/kit.ts';
import { Page } from '../../ui/page.tsx';
import { AboutSection } from './about-section.tsx';
import { AccountSection } from './account-section.tsx';
import { AnalyticsSection } from './analytics-section.tsx';
import { ApiAccessSection } from './api-access-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { BackupSection } from './backup/backup-section.tsx';
import { FunctionsSection } from './functions-section.tsx';
import { HistorySection } from './history-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { LogsSection } from './logs-section.tsx';
import { NetworkSection } from './network-section.tsx';
import { SettingsFileSection } from './settings-file-section.tsx';
import { ShortcutsSection, type ShortcutsProps } from './shortcuts/shortcuts-section.tsx';
import { StorageSection } from './storage/storage-section.tsx';
import { SshKeysSection } from './ssh-keys-section.tsx';
import { UsersSection } from './users/users-section.tsx';
import { VideoSection } from './video-section.tsx';
import classes from './settings-page.module.css';

/** Sections with address, title, icon and content, in order; some are for administrators. */
const table = [
  ['appearance', 'settings.appearance.title', IconPalette, AppearanceSection],
  ['language', 'language.title', IconLanguage, LanguageSection],
  ['shortcuts', 'keys.title', IconKeyboard, ShortcutsSection],
  ['storage', 'storage.title', IconDatabase, StorageSection, true],
  ['backup', 'backup.title', IconArchive, BackupSection, true],
  ['video', 'videoSettings.title', IconMovie, VideoSection, true],
  ['functions', 'functionSettings.title', IconCpu, FunctionsSection, true],
  ['network', 'network.title', IconNetwork, NetworkSection, true],
  ['file', 'settingsFile.title', IconFileSettings, SettingsFileSection, true],
  ['account', 'settings.account.title', IconUser, AccountSection],
  ['api-access', 'settings.api.title', IconKey, ApiAccessSection],
  ['ssh-keys', 'sshKeys.title', IconFingerprint, SshKeysSection],
  ['analytics', 'analytics.title', IconChartBar, AnalyticsSection],
  ['users', 'users.title', IconUsers, UsersSection, true],
  ['history', 'history.title', IconHistory, HistorySection, true],
  ['log', 'logs.title', IconFileText, LogsSection, true],
  ['about', 'settings.about.title', IconInfoCircle, AboutSection],
] as const satisfies readonly (readonly [string, string, Icon, ComponentType<ShortcutsProps>, true?])[];
const sections = table.map(([id, key, Sign, content, isForAdmins = false]) => ({
  id,
  key,
  icon: <Sign size={16} stroke={1.5} />,
  // Some sections need no props.
  content: content as ComponentType<ShortcutsProps>,
  isForAdmins,
}));

const organizations = 'organizations';

export function SettingsPage({ section, ...given }: ShortcutsProps & { readonly section: string }) {
  const t = useText();
  const navigate = useNavigate();
  const self = useQuery(queries.self()).data;
  const isAdmin = self?.is_superuser === true;
  const chosen = sections.find((one) => one.id === section);
  const isOpen = chosen?.isForAdmins !== true || self === undefined || isAdmin;
  const Content = isOpen ? chosen?.content : undefined;
  // The router then shows its page for unknown addresses.
  if (Content === undefined) throw notFound();
  const shown = sections.filter(({ isForAdmins }) => isAdmin || !isForAdmins);
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
        <ChoiceField
          className={classes.menu ?? ''}
          size="xs"
          w={200}
          aria-label={t('settings.sections')}
          data={places}
          value={section}
          onChange={go}
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
