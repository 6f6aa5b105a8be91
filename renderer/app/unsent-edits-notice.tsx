import { IconCloudUpload } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { useText } from '../i18n/index.ts';
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
import classes from './shell.module.css';

const firstOrphan = async (): Promise<FoundJournal | null> => {
  for (const jobId of new Set(findJournals(localStorage).map((found) => found.jobId))) {
    const [orphan] = await orphanJournals(localStorage, navigator.locks, jobId);
    if (orphan !== undefined) return orphan;
  }
  return null;
};

/** Reports unsent edits of a closed window on all screens except that job's. */
export function UnsentEditsNotice() {
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
