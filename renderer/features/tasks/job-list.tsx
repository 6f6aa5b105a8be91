import { Link } from '@tanstack/react-router';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { jobStages, jobStates, type Job } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import rows from '../../parts/lists/rows.module.css';
import { Select } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';

const JobRow = ({ job }: { readonly job: Job }) => {
  const t = useText();
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: (body: Partial<Pick<Job, 'stage' | 'state'>>) => call('updateJob', { params: { id: job.id }, body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void client.invalidateQueries({ queryKey: ['tasks'] });
    },
    onError: (error) => notify.failure(t('tasks.job', { id: job.id }), messageOf(error)),
  });
  const name = (value: (typeof jobStages)[number] | (typeof jobStates)[number]) => ({
    value,
    label: t(`tasks.status.${value}`),
  });
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
      <Select
        size="xs"
        w={128}
        aria-label={t('tasks.stage')}
        allowDeselect={false}
        data={jobStages.map(name)}
        value={job.stage}
        onChange={(stage) => stage !== null && update.mutate({ stage: stage as Job['stage'] })}
      />
      <Select
        size="xs"
        w={128}
        mr={4}
        aria-label={t('tasks.state')}
        allowDeselect={false}
        data={jobStates.map(name)}
        value={job.state}
        onChange={(state) => state !== null && update.mutate({ state: state as Job['state'] })}
      />
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
