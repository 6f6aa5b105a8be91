import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { z } from 'zod';
import type { Task, taskPatchSchema } from '../../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { formatDate } from '../../../shared/format-text.ts';
import { PreviewImage } from '../pages/preview-image.tsx';
import { AssigneeFact, TextFact, TrackerFact } from '../pages/fact-fields.tsx';
import { userName } from '../../../shared/people/user-name.ts';
import { notify } from '../../../ui/notify.ts';
import { Facts } from '../../../ui/panel.tsx';
import classes from './task-page.module.css';

/** Facts of a task beside its jobs; editable ones are edited in place. */
export function TaskDetails({ task }: { readonly task: Task }) {
  const t = useText();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: z.input<typeof taskPatchSchema>) => call('updateTask', { params: { id: task.id }, body }),
    onSuccess: () => {
      for (const key of ['tasks', 'jobs']) void client.invalidateQueries({ queryKey: [key] });
    },
    onError: (error) => notify.failure(task.name, messageOf(error)),
  });
  const isVideo = task.mode === 'interpolation';
  return (
    <div className={classes.details}>
      <PreviewImage kind="task" id={task.id} version={String(task.data ?? 0)} large />
      <Facts
        width={104}
        facts={[
          [
            t('tasks.project'),
            task.project_id === null ? null : (
              <Link key="project" to="/projects/$projectId" params={{ projectId: String(task.project_id) }}>
                {task.project_name}
              </Link>
            ),
          ],
          [
            t('jobs.assignee'),
            <AssigneeFact
              key="assignee"
              label={t('jobs.assignee')}
              assignee={task.assignee}
              onChange={(assignee_id) => change.mutate({ assignee_id })}
            />,
          ],
          [t('pages.owner'), task.owner && userName(task.owner)],
          [
            t('tasks.subset'),
            <TextFact
              key="subset"
              label={t('tasks.subset')}
              value={task.subset}
              placeholder={t('newTask.subsetHint')}
              maxLength={64}
              onChange={(subset) => change.mutate({ subset })}
            />,
          ],
          [
            t('pages.tracker'),
            <TrackerFact
              key="tracker"
              value={task.bug_tracker}
              onChange={(bug_tracker) => change.mutate({ bug_tracker })}
            />,
          ],
          [t(isVideo ? 'tasks.frameCount' : 'tasks.size'), task.size],
          [t(isVideo ? 'tasks.segmentFrames' : 'tasks.segment'), task.segment_size > 0 ? task.segment_size : null],
          [t('tasks.overlap'), (task.overlap ?? 0) > 0 ? task.overlap : null],
          [t('tasks.quality'), task.image_quality],
          [t('tasks.created'), formatDate(task.created_date)],
        ]}
      />
    </div>
  );
}
