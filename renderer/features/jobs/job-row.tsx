import { IconMessageCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { formatWhen } from '../../parts/format-text.ts';
import { JobFields } from '../../parts/jobs/job-fields.tsx';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import { Tooltip, UnstyledButton } from '../../ui/kit.ts';
import { Row } from '../../ui/list.tsx';
import classes from './jobs-page.module.css';

interface JobRowProps {
  readonly job: Job;
  readonly onPreview: () => void;
}

/** One job: its picture opens the preview, its name the workspace; stage and state are changed in place. */
export function JobRow({ job, onPreview }: JobRowProps) {
  const t = useText();
  const { id, task_name: task, issues } = job;
  const params = { taskId: String(job.task_id), jobId: String(id) };
  return (
    <Row
      before={
        <Tooltip label={t('jobs.previewHint')}>
          <UnstyledButton
            className={classes.picture}
            aria-label={t('jobs.preview', { id })}
            onClick={onPreview}
            tabIndex={-1}
          >
            <PreviewImage kind="job" id={id} version={String(job.start_frame)} />
          </UnstyledButton>
        </Tooltip>
      }
      renderLink={(row) => <Link to="/tasks/$taskId/jobs/$jobId" params={params} data-row-link={id} {...row} />}
      name={
        <>
          {t('tasks.job', { id })}
          <span className={classes.task}>{task}</span>
        </>
      }
      title={task ?? undefined}
      meta={[
        job.project_name,
        t('tasks.frames', { first: job.start_frame, last: job.stop_frame }),
        formatWhen(job.updated_date),
      ]}
    >
      {issues.count > 0 && (
        <Link
          to="/tasks/$taskId"
          params={{ taskId: params.taskId }}
          search={{ tab: 'issues' }}
          className={classes.issues}
          aria-label={t('jobs.issues', { count: issues.count })}
        >
          <IconMessageCircle size={16} stroke={1.5} />
          {issues.count}
        </Link>
      )}
      <JobFields job={job} />
    </Row>
  );
}
