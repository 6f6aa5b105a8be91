import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { useText } from '../i18n/index.ts';
import { CreationDialog } from '../features/work/task-creation/creation-dialog.tsx';
import { RestoreDialog } from '../features/work/work-backup/restore.tsx';
import { AppPalette } from './app-palette.tsx';
import { DesktopEvents } from './desktop-events.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { HelpKeys } from './help-keys.tsx';
import classes from './shell.module.css';
import { UnsentEditsNotice } from './unsent-edits-notice.tsx';
import { WindowDrop } from './window-drop.tsx';

function ConnectionBanner() {
  const t = useText();
  const client = useQueryClient();
  const lost = useConnection((state) => state.lost);
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => {
      call('about', {})
        .then(() => client.invalidateQueries())
        .catch(() => undefined);
    }, 1_500);
    return () => clearInterval(timer);
  }, [lost, client]);
  if (!lost) return null;
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={18} />
      <span className={classes.bannerText}>{t('connection.lost')}</span>
    </div>
  );
}

/** Common parts of all screens: connection banner, palette, help, and the window as drop target. */
export function Shell() {
  const path = useLocation({ select: (location) => location.pathname });
  if (path === '/sign-in' || path === '/join') return <Outlet />;
  return (
    <div className={classes.shell}>
      <ConnectionBanner />
      <UnsentEditsNotice />
      <main className={classes.screen}>
        <Outlet />
      </main>
      <WindowDrop />
      <DesktopEvents />
      <CreationDialog />
      <RestoreDialog />
      <AppPalette />
      <HelpKeys />
      <HelpDialog />
    </div>
  );
}
