import { IconSparkles, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import { BatchDialog } from '../../../shared/batches/batch-dialog.tsx';
import { MergeDialog } from '../consensus/merge-dialog.tsx';
import { JobFields } from '../jobs/job-fields.tsx';
import { PreviewImage } from '../../../shared/preview-image.tsx';
import { JobProgress } from '../pages/work-progress.tsx';
import { LocalRemoteBadge } from '../../../shared/remotes/remote-badge.tsx';
import { Menu } from '../../../ui/kit.ts';
import { Cell, List, Row } from '../../../ui/list.tsx';
import { MoreMenu } from '../../../ui/more-menu.tsx';
import classes from './job-list.module.css';

function withReplicas(jobs: readonly Job[]): readonly Job[] {
  const replicas = Map.groupBy(jobs, (job) => job.parent_job_id);
  return jobs.flatMap((job) => (job.parent_job_id === null ? [job, ...(replicas.get(job.id) ?? [])] : []));
}

interface OpenDialog {
  readonly what: 'annotate' | 'merge';
  readonly job: Job;
}

export function JobList({ jobs }: { readonly jobs: readonly Job[] }) {
  const t = useText();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const name = dialog === null ? '' : t('tasks.job', { id: dialog.job.id });
  const close = (): void => setDialog(null);
  return (
    <>
      <List>
        {withReplicas(jobs).map((job) => (
          <JobRow key={job.id} job={job} onAsk={(what) => setDialog({ what, job })} />
        ))}
      </List>
      {dialog?.what === 'annotate' && (
        <BatchDialog
          target={{
            kind: 'job',
            id: dialog.job.id,
            taskId: dialog.job.task_id,
            name,
            frames: { first: dialog.job.start_frame, last: dialog.job.stop_frame },
          }}
          onClose={close}
        />
      )}
      {dialog?.what === 'merge' && (
        <MergeDialog
          taskId={dialog.job.task_id}
          jobId={dialog.job.id}
          name={name}
          replicaCount={dialog.job.replicas_count}
          onClose={close}
        />
      )}
    </>
  );
}

function JobRow({ job, onAsk }: { readonly job: Job; readonly onAsk: (what: OpenDialog['what']) => void }) {
  const t = useText();
  const isReplica = job.parent_job_id !== null;
  return (
    <Row
      renderLink={(row) => (
        <Link
          to="/tasks/$taskId/jobs/$jobId"
          params={{ taskId: String(job.task_id), jobId: String(job.id) }}
          {...row}
        />
      )}
      before={isReplica && <span className={classes.below} aria-hidden />}
      lead={!isReplica && <PreviewImage kind="job" id={job.id} version={String(job.start_frame)} />}
      name={
        isReplica ? (
          t('consensus.replica', { id: job.id })
        ) : (
          <>
            {t('tasks.job', { id: job.id })} <LocalRemoteBadge taskId={job.task_id} jobId={job.id} />
          </>
        )
      }
      cells={
        <Cell width={132} from="middle">
          <JobProgress job={job} />
        </Cell>
      }
      meta={
        isReplica
          ? []
          : [
              job.type === 'ground_truth' ? t('jobs.groundTruth') : null,
              job.mode === 'interpolation'
                ? t('tasks.countOfFrames', { count: job.frame_count })
                : t('tasks.images', { count: job.frame_count }),
              t('tasks.frames', { first: job.start_frame, last: job.stop_frame }),
              job.replicas_count > 0 ? t('consensus.replicaCount', { count: job.replicas_count }) : null,
            ]
      }
    >
      <JobFields job={job} />
      <MoreMenu of="row" label={t('jobs.moreOf', { id: job.id })}>
        <Menu.Item leftSection={<IconSparkles size={16} />} onClick={() => onAsk('annotate')}>
          {t('batches.menu')}
        </Menu.Item>
        {job.replicas_count > 0 && (
          <Menu.Item leftSection={<IconUsers size={16} />} onClick={() => onAsk('merge')}>
            {t('consensus.merge')}
          </Menu.Item>
        )}
      </MoreMenu>
    </Row>
  );
}
