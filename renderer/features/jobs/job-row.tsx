import { IconMessageCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { formatWhen } from '../../parts/format-text.ts';
import { JobFields } from '../../parts/jobs/job-fields.tsx';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import rows from '../../parts/lists/rows.module.css';
import { Tooltip, UnstyledButton } from '../../ui/kit.ts';
import classes from './jobs-page.module.css';

interface JobRowProps {
  readonly job: Job;
  readonly onPreview: () => void;
}

/** One job: its picture opens the preview, its name the workspace; stage and state are changed in place. */
export function JobRow({ job, onPreview }: JobRowProps) {
  const t = useText();
  const meta = [
    job.project_name,
    t('tasks.frames', { first: job.start_frame, last: job.stop_frame }),
    formatWhen(job.updated_date),
  ].filter((part) => part !== null && part !== '');
  return (
    <div className={rows.row} role="listitem">
      <Tooltip label={t('jobs.previewHint')}>
        <UnstyledButton
          className={classes.picture}
          aria-label={t('jobs.preview', { id: job.id })}
          onClick={onPreview}
          tabIndex={-1}
        >
          <PreviewImage kind="job" id={job.id} version={String(job.start_frame)} />
        </UnstyledButton>
      </Tooltip>
      <Link
        to="/tasks/$taskId/jobs/$jobId"
        params={{ taskId: String(job.task_id), jobId: String(job.id) }}
        className={rows.main}
        data-row-link={job.id}
      >
        <div className={rows.text}>
          <div className={rows.name} title={job.task_name ?? undefined}>
            {t('tasks.job', { id: job.id })}
            <span className={classes.task}>{job.task_name}</span>
          </div>
          <div className={rows.meta} title={meta.join(' · ')}>
            {meta.join(' · ')}
          </div>
        </div>
      </Link>
      {job.issues.count > 0 && (
        <Link
          to="/tasks/$taskId"
          params={{ taskId: String(job.task_id) }}
          search={{ tab: 'issues' }}
          className={classes.issues}
          aria-label={t('jobs.issues', { count: job.issues.count })}
        >
          <IconMessageCircle size={16} stroke={1.5} />
          {job.issues.count}
        </Link>
      )}
      <JobFields job={job} />
    </div>
  );
}
