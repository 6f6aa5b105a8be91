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
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { analyticsQueries } from '../api/analytics-queries.ts';
import { useText } from '../i18n/index.ts';
import { useHelp } from '../parts/commands/commands.ts';
import { openPalette } from '../ui/command-palette.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tooltip } from '../ui/kit.ts';
import classes from './app-frame.module.css';
import { OrganizationSwitch } from './organization-switch.tsx';
import { ThemeMenu } from './theme-menu.tsx';

const size = 20;
const pages = [
  { to: '/projects', key: 'app.projects', icon: <IconFolders size={size} stroke={1.5} /> },
  { to: '/tasks', key: 'app.tasks', icon: <IconPhoto size={size} stroke={1.5} /> },
  { to: '/jobs', key: 'app.jobs', icon: <IconChecklist size={size} stroke={1.5} /> },
  { to: '/models', key: 'app.models', icon: <IconCpu size={size} stroke={1.5} /> },
  { to: '/analytics', key: 'app.analytics', icon: <IconChartBar size={size} stroke={1.5} /> },
  { to: '/requests', key: 'app.requests', icon: <IconListDetails size={size} stroke={1.5} /> },
  { to: '/webhooks', key: 'app.webhooks', icon: <IconWebhook size={size} stroke={1.5} /> },
] as const;

/** Slim navigation on the left, the screen beside it. */
export function AppFrame({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const hasAnalytics = useQuery(analyticsQueries.plugins()).data?.ANALYTICS === true;
  const setHelp = useHelp((state) => state.set);
  return (
    <div className={classes.frame}>
      <nav className={classes.rail} aria-label={t('app.navigation')}>
        <Link to="/tasks" className={classes.mark} aria-label={t('app.name')}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
        </Link>
        <OrganizationSwitch />
        {pages
          .filter(({ to }) => to !== '/analytics' || hasAnalytics)
          .map((page) => (
            <Tooltip key={page.to} label={t(page.key)} position="right" openDelay={800}>
              <Link to={page.to} className={classes.link} activeProps={{ 'data-active': true }}>
                {page.icon}
                <span className={classes.caption}>{t(page.key)}</span>
              </Link>
            </Tooltip>
          ))}
        <span className={classes.space} />
        <IconButton
          label={t('app.palette')}
          shortcut="Ctrl+K"
          side="right"
          size="lg"
          icon={<IconSearch size={18} stroke={1.5} />}
          onClick={openPalette}
        />
        <IconButton
          label={t('app.help')}
          shortcut="F1"
          side="right"
          size="lg"
          icon={<IconHelp size={18} stroke={1.5} />}
          onClick={() => setHelp(true)}
        />
        <ThemeMenu />
      </nav>
      <div className={classes.content}>{children}</div>
    </div>
  );
}
