import { Link } from '@tanstack/react-router';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { JobFields } from '../../parts/jobs/job-fields.tsx';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import rows from '../../parts/lists/rows.module.css';

const JobRow = ({ job }: { readonly job: Job }) => {
  const t = useText();
  return (
    <div className={rows.row} role="listitem">
      <Link
        to="/tasks/$taskId/jobs/$jobId"
        params={{ taskId: String(job.task_id), jobId: String(job.id) }}
        className={rows.main}
      >
        <PreviewImage kind="job" id={job.id} version={String(job.start_frame)} />
        <div className={rows.text}>
          <div className={rows.name}>{t('tasks.job', { id: job.id })}</div>
          <div className={rows.meta}>
            {[
              t('tasks.images', { count: job.frame_count }),
              t('tasks.frames', { first: job.start_frame, last: job.stop_frame }),
            ].join(' · ')}
          </div>
        </div>
      </Link>
      <JobFields job={job} />
    </div>
  );
};

/** Jobs of a task, with how far each is. */
export const JobList = ({ jobs }: { readonly jobs: readonly Job[] }) => (
  <div className={rows.list} role="list">
    {jobs.map((job) => (
      <JobRow key={job.id} job={job} />
    ))}
  </div>
);
