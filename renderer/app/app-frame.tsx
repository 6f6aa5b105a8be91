import {
  IconBucket,
  IconChartBar,
  IconChecklist,
  IconCloud,
  IconCpu,
  IconFolders,
  IconHelp,
  IconListDetails,
  IconPhoto,
  IconSearch,
  IconWebhook,
  IconBuilding,
  IconCheck,
  IconSettings,
  IconUser,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { analyticsQueries } from '../api/analytics-queries.ts';
import { queries } from '../api/queries.ts';
import { useText } from '../i18n/index.ts';
import { useOpenHelp } from '../shared/help/find-help.ts';
import { shortcutText } from '../shared/keys/keymap-store.ts';
import { openPalette } from '../ui/command-palette.tsx';
import { joined } from '../ui/list.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tooltip, useLocalStorage, Menu, UnstyledButton } from '../ui/kit.ts';
import { PlaceProvider } from '../ui/page.tsx';
import classes from './app-frame.module.css';
import { ThemeMenu } from './theme-menu.tsx';
import type { Organization } from '../../preload/contract/schema/people.ts';
import { chooseOrganization, useOrganizationContext } from '../api/organization-context.ts';
import { peopleQueries } from '../api/people-queries.ts';
import { notify } from '../ui/notify.ts';

/** Replacement of an invalid context, given the existing organizations; undefined if it is valid. */
function corrected(slug: string | null, organizations: readonly Organization[]): string | null | undefined {
  if (organizations.length === 0) return slug === null ? undefined : null;
  if (slug === null) return '';
  return slug === '' || organizations.some((one) => one.slug === slug) ? undefined : '';
}

function usePlace(): string {
  const t = useText();
  const slug = useOrganizationContext((state) => state.slug);
  const organizations = useQuery(peopleQueries.organizations()).data?.results ?? [];
  if (slug === null || slug === '') return t('organizations.personal');
  const name = organizations.find((one) => one.slug === slug)?.name ?? '';
  return name === '' ? slug : name;
}

function OrganizationSwitch({ isLit }: { readonly isLit: boolean }) {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const slug = useOrganizationContext((state) => state.slug);
  const organizations = useQuery(peopleQueries.organizations()).data?.results;
  useEffect(() => {
    const next = organizations === undefined ? undefined : corrected(slug, organizations);
    if (next === undefined) return;
    if (slug !== null && slug !== '') notify.info(t('organizations.contextLost', { slug }));
    chooseOrganization(next);
    void client.invalidateQueries();
  }, [organizations, slug, client, t]);
  if (organizations === undefined || organizations.length === 0) return null;
  const choose = (next: string): void => {
    if (next === slug) return;
    chooseOrganization(next);
    void client.resetQueries();
    // A page number or filter of the other context would not match.
    void navigate({ to: '.', search: {}, replace: true });
  };
  const name = slug === null || slug === '' ? t('organizations.personal') : slug;
  const check = <IconCheck size={14} />;
  return (
    <Menu position="right-start" width={240}>
      <Menu.Target>
        <UnstyledButton
          className={classes.context}
          data-active={isLit || undefined}
          aria-label={t('organizations.contextLabel', { name })}
        >
          {slug === null || slug === '' ? <IconUser size={16} stroke={1.5} /> : <IconBuilding size={16} stroke={1.5} />}
          <span className={classes.contextName}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('organizations.context')}</Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} />}
          rightSection={slug === '' ? check : null}
          onClick={() => choose('')}
        >
          {t('organizations.personal')}
        </Menu.Item>
        {organizations.map((one) => (
          <Menu.Item
            key={one.id}
            leftSection={<IconBuilding size={16} />}
            rightSection={slug === one.slug ? check : null}
            onClick={() => choose(one.slug)}
          >
            {one.name === '' ? one.slug : one.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => void navigate({ to: '/organizations' })}>
          {t('organizations.manage')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const size = 20;
const pages = [
  { to: '/projects', key: 'app.projects', icon: <IconFolders size={size} stroke={1.6} /> },
  { to: '/tasks', key: 'app.tasks', icon: <IconPhoto size={size} stroke={1.6} /> },
  { to: '/jobs', key: 'app.jobs', icon: <IconChecklist size={size} stroke={1.6} /> },
  { to: '/models', key: 'app.models', icon: <IconCpu size={size} stroke={1.6} /> },
  { to: '/analytics', key: 'app.analytics', icon: <IconChartBar size={size} stroke={1.6} /> },
  { to: '/cloudstorages', key: 'app.buckets', icon: <IconBucket size={size} stroke={1.6} /> },
  { to: '/remote', key: 'app.remote', icon: <IconCloud size={size} stroke={1.6} /> },
  { to: '/requests', key: 'app.requests', icon: <IconListDetails size={size} stroke={1.6} /> },
  { to: '/webhooks', key: 'app.webhooks', icon: <IconWebhook size={size} stroke={1.6} /> },
] as const;

/** Number of running requests, or of failures since the list was opened; empty if there are none. */
function RequestCount({ path }: { readonly path: string }) {
  const t = useText();
  const [seenMs, setSeenMs] = useLocalStorage({ key: 'limner.requests-seen', defaultValue: 0 });
  const isShown = path === '/requests';
  const all = useQuery({ ...queries.requests(), refetchInterval: 30_000 }).data?.results ?? [];
  const running = all.filter(({ status }) => status === 'queued' || status === 'started').length;
  const failed = all.filter(
    ({ status, finished_date: end }) => status === 'failed' && end !== null && Date.parse(end) > seenMs,
  ).length;
  useEffect(() => {
    if (isShown && failed > 0) setSeenMs(Date.now());
  }, [isShown, failed, setSeenMs]);
  if (running + failed === 0) return null;
  const words = [
    running > 0 ? t('app.requestsRunning', { number: running }) : '',
    failed > 0 ? t('app.requestsFailed', { number: failed }) : '',
  ];
  return (
    <span className={classes.number} data-failed={failed > 0 || undefined} title={joined(words)}>
      {running + failed}
    </span>
  );
}

export function AppFrame({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const content = useRef<HTMLDivElement>(null);
  const path = useLocation({ select: (location) => location.pathname });
  const place = usePlace();
  const hasAnalytics = useQuery(analyticsQueries.plugins()).data?.ANALYTICS === true;
  const openHelp = useOpenHelp();
  return (
    <div className={classes.frame}>
      <a
        className={classes.skip}
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          content.current?.focus();
        }}
      >
        {t('app.skip')}
      </a>
      <nav className={classes.rail} aria-label={t('app.navigation')}>
        <Link to="/tasks" className={classes.mark} aria-label={t('app.name')}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
        </Link>
        <OrganizationSwitch isLit={path.startsWith('/organizations')} />
        {pages
          .filter(({ to }) => to !== '/analytics' || hasAnalytics)
          .map((page) => (
            <Tooltip key={page.to} label={t(page.key)} position="right" openDelay={800}>
              <Link
                to={page.to}
                className={classes.link}
                // Reports belong to tasks and projects and have no separate entry.
                data-active={(page.to === '/tasks' && path.startsWith('/evaluations')) || undefined}
                activeProps={{ 'data-active': true }}
              >
                {page.icon}
                <span className={classes.caption}>{t(page.key)}</span>
                {page.to === '/requests' && <RequestCount path={path} />}
              </Link>
            </Tooltip>
          ))}
        <span className={classes.space} />
        <div className={classes.tools}>
          <IconButton
            label={t('app.palette')}
            shortcut={shortcutText('Mod+KeyK')}
            side="right"
            size="lg"
            icon={<IconSearch size={18} stroke={1.6} />}
            onClick={openPalette}
          />
          <IconButton
            label={t('app.help')}
            shortcut="F1"
            side="right"
            size="lg"
            icon={<IconHelp size={18} stroke={1.6} />}
            onClick={() => openHelp()}
          />
          <ThemeMenu isLit={path.startsWith('/settings') || path.startsWith('/organizations')} />
        </div>
      </nav>
      <div ref={content} id="content" tabIndex={-1} className={classes.content}>
        <PlaceProvider value={place}>{children}</PlaceProvider>
      </div>
    </div>
  );
}
