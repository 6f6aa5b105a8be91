import { IconPlugConnectedX, IconCloudUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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
import { WindowDrop } from './window-drop.tsx';
import {
  findJournals,
  forgetJournal,
  objectsIn,
  orphanJournals,
  type FoundJournal,
} from '../features/workspace/model/saving/save-journal.ts';
import { ask } from '../ui/confirm.tsx';
import { Button } from '../ui/kit.ts';
import { notify } from '../ui/notify.ts';

const firstOrphan = async (): Promise<FoundJournal | null> => {
  for (const jobId of new Set(findJournals(localStorage).map((found) => found.jobId))) {
    const [orphan] = await orphanJournals(localStorage, navigator.locks, jobId);
    if (orphan !== undefined) return orphan;
  }
  return null;
};

/** Reports unsent edits of a closed window on all screens except that job's. */
function UnsentEditsNotice() {
  const t = useText();
  const navigate = useNavigate();
  const path = useLocation({ select: (location) => location.pathname });
  const [found, setFound] = useState<FoundJournal | null>(null);
  useEffect(() => {
    let left = false;
    const look = async (): Promise<void> => {
      const orphan = await firstOrphan();
      if (!left) setFound(orphan);
    };
    void look();
    return () => void (left = true);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- looks again on every screen
  }, [path]);
  if (found === null || path.endsWith(`/jobs/${found.jobId}`)) return null;
  const { jobId } = found;
  const open = async (): Promise<void> => {
    try {
      const job = await call('getJob', { params: { id: jobId } });
      await navigate({
        to: '/tasks/$taskId/jobs/$jobId',
        params: { taskId: String(job.task_id), jobId: String(jobId) },
      });
    } catch (error) {
      notify.failure(t('annotate.openFailed'), error);
    }
  };
  const discard = async (): Promise<void> => {
    const confirm = t('saving.leftDiscard');
    if (!(await ask({ title: t('saving.leftDiscardTitle'), text: t('saving.leftDiscardText'), confirm }))) return;
    forgetJournal(localStorage, found.key);
    setFound(await firstOrphan());
  };
  return (
    <div className={classes.banner} role="status">
      <IconCloudUpload size={18} />
      <span className={classes.bannerText}>{t('saving.leftText', { count: objectsIn(found.edits), job: jobId })}</span>
      <Button size="compact-xs" onClick={() => void open()}>
        {t('saving.leftOpen')}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => void discard()}>
        {t('saving.leftDiscard')}
      </Button>
    </div>
  );
}

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
