import { IconSparkles } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { BatchDialog } from '../../parts/batches/batch-dialog.tsx';
import { JobFields } from '../../parts/jobs/job-fields.tsx';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import { Menu } from '../../ui/kit.ts';
import { List, Row } from '../../ui/list.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';

/** Jobs of a task, with how far each is. */
export function JobList({ jobs }: { readonly jobs: readonly Job[] }) {
  const t = useText();
  const [annotated, setAnnotated] = useState<Job | null>(null);
  return (
    <>
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
            <MoreMenu of="row" label={t('jobs.moreOf', { id: job.id })}>
              <Menu.Item leftSection={<IconSparkles size={16} />} onClick={() => setAnnotated(job)}>
                {t('batches.menu')}
              </Menu.Item>
            </MoreMenu>
          </Row>
        ))}
      </List>
      {annotated !== null && (
        <BatchDialog
          target={{
            kind: 'job',
            id: annotated.id,
            taskId: annotated.task_id,
            name: t('tasks.job', { id: annotated.id }),
            frames: { first: annotated.start_frame, last: annotated.stop_frame },
          }}
          onClose={() => setAnnotated(null)}
        />
      )}
    </>
  );
}
