import { Link } from '@tanstack/react-router';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { JobFields } from '../../parts/jobs/job-fields.tsx';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import { List, Row } from '../../ui/list.tsx';

/** Jobs of a task, with how far each is. */
export function JobList({ jobs }: { readonly jobs: readonly Job[] }) {
  const t = useText();
  return (
    <List>
      {jobs.map((job) => (
        <Row
          key={job.id}
          renderLink={(row) => (
            <Link
              to="/tasks/$taskId/jobs/$jobId"
              params={{ taskId: String(job.task_id), jobId: String(job.id) }}
              {...row}
            />
          )}
          lead={<PreviewImage kind="job" id={job.id} version={String(job.start_frame)} />}
          name={t('tasks.job', { id: job.id })}
          meta={[
            job.mode === 'interpolation'
              ? t('tasks.countOfFrames', { count: job.frame_count })
              : t('tasks.images', { count: job.frame_count }),
            t('tasks.frames', { first: job.start_frame, last: job.stop_frame }),
          ]}
        >
          <JobFields job={job} />
        </Row>
      ))}
    </List>
  );
}
