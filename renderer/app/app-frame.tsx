import {
  IconChartBar,
  IconChecklist,
  IconCpu,
  IconFolders,
  IconHelp,
  IconListDetails,
  IconPhoto,
  IconSearch,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { analyticsQueries } from '../api/analytics-queries.ts';
import { queries } from '../api/queries.ts';
import { useText } from '../i18n/index.ts';
import { useOpenHelp } from '../shared/help/find-help.ts';
import { shortcutText } from '../shared/keys/keymap-store.ts';
import { openPalette } from '../ui/command-palette.tsx';
import { joined } from '../ui/list.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tooltip, useLocalStorage } from '../ui/kit.ts';
import { PlaceProvider } from '../ui/page.tsx';
import classes from './app-frame.module.css';
import { OrganizationSwitch, usePlace } from './organization-switch.tsx';
import { ThemeMenu } from './theme-menu.tsx';

const size = 20;
const pages = [
  { to: '/projects', key: 'app.projects', icon: <IconFolders size={size} stroke={1.6} /> },
  { to: '/tasks', key: 'app.tasks', icon: <IconPhoto size={size} stroke={1.6} /> },
  { to: '/jobs', key: 'app.jobs', icon: <IconChecklist size={size} stroke={1.6} /> },
  { to: '/models', key: 'app.models', icon: <IconCpu size={size} stroke={1.6} /> },
  { to: '/analytics', key: 'app.analytics', icon: <IconChartBar size={size} stroke={1.6} /> },
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
