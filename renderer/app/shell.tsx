import { Outlet, useLocation } from '@tanstack/react-router';
import { CreationDialog } from '../parts/task-creation/creation-dialog.tsx';
import { RestoreDialog } from '../parts/work-backup/restore-dialog.tsx';
import { AppPalette } from './app-palette.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { DesktopEvents } from './desktop-events.tsx';
import { HelpDialog } from './help-dialog.tsx';
import classes from './shell.module.css';
import { UnsentEditsNotice } from './unsent-edits-notice.tsx';
import { WindowDrop } from './window-drop.tsx';

/** What every screen has: the banner of a lost service, the palette, help, and the whole window as a drop target. */
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
      <HelpDialog />
    </div>
  );
}
