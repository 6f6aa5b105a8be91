import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useState } from 'react';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { refetchUnlessJustLoaded } from '../../../api/query-options.ts';
import { firstFrames, queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';
import { Page, PageLoader, Problem } from '../../../ui/page.tsx';
import { createJobSaving, type JobSaving } from '../model/saving/job-saving.ts';
import { takeOverWork } from '../model/autosave/take-over.ts';
import { openAutosaveStore } from '../model/autosave/autosave-store.ts';
import type { SessionInput } from '../model/session.ts';
import { Workspace } from './workspace.tsx';
import { openingMode } from '../model/modes/mode-choices.ts';

interface AnnotatePageProps {
  readonly taskId: number;
  readonly jobId: number;
  readonly startFrame: number | undefined;
  /** From the address; an unknown mode is ignored. */
  readonly startMode: string | undefined;
}

interface Opened {
  readonly saving: JobSaving;
  readonly kept: SessionInput['kept'];
}

/** Opens the job after edits of an earlier window were sent; null until then. */
function useOpening(job: Job | undefined): Opened | null {
  const t = useText();
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    if (job === undefined) return;
    const made = createJobSaving(job);
    let left = false;
    const open = async (): Promise<void> => {
      const count = await made.recover();
      const store = openAutosaveStore();
      const found = left ? null : await takeOverWork(store, navigator.locks, job.id);
      if (left) return;
      if (count > 0) notify.success(t('saving.restored', { count }));
      setOpened({ saving: made, kept: { store, found } });
    };
    void open();
    return () => {
      left = true;
      setOpened(null);
      made.close();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- one saving for the life of the opened job
  }, [job?.id]);
  return opened;
}

/**
 * Loads a job and opens it. The start position is read once: the workspace updates the address on each frame, which
 * must not render the page again.
 */
export const AnnotatePage = memo(OpeningPage, (before, now) => before.jobId === now.jobId);

function OpeningPage({ taskId, jobId, startFrame, startMode }: AnnotatePageProps) {
  const t = useText();
  const client = useQueryClient();
  const job = useQuery({ ...queries.job(jobId), staleTime: Infinity });
  const meta = useQuery({ ...queries.jobMeta(jobId, startFrame), staleTime: Infinity });
  const labels = useQuery({ ...queries.labels({ job_id: jobId }), ...refetchUnlessJustLoaded, staleTime: Infinity });
  const opened = useOpening(job.data);
  const failed = [job, meta, labels].find((query) => query.isError && query.data === undefined);
  if (failed !== undefined) {
    const retry = (): void => void client.refetchQueries({ predicate: (query) => query.state.status === 'error' });
    return (
      <Page
        title={t('annotate.openFailed')}
        crumbs={
          <Link to="/tasks/$taskId" params={{ taskId: String(taskId) }}>
            {t('annotate.back')}
          </Link>
        }
      >
        <Problem title={t('annotate.openFailed')} message={failed.error} retry={retry} />
      </Page>
    );
  }
  const ready = job.data !== undefined && meta.data !== undefined && labels.data !== undefined && !labels.isFetching;
  if (!ready && opened === null) return <PageLoader label={t('annotate.opening')} />;
  if (job.data === undefined || meta.data === undefined || labels.data === undefined || opened === null) {
    return <PageLoader label={t('saving.restoring')} />;
  }
  return (
    <Workspace
      job={job.data}
      meta={meta.data}
      listedFrom={Math.max(job.data.start_frame, firstFrames(startFrame).frame)}
      labels={labels.data}
      {...opened}
      startMode={openingMode(job.data, startMode)}
      startFrame={Math.min(job.data.stop_frame, Math.max(job.data.start_frame, startFrame ?? job.data.start_frame))}
    />
  );
}
