import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { z } from 'zod';
import type { Task, taskPatchSchema } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { formatDate } from '../../../shared/format-text.ts';
import { PreviewImage } from '../../../shared/preview-image.tsx';
import { AssigneeFact, TextFact, TrackerFact } from '../pages/fact-fields.tsx';
import { userName } from '../../../shared/people/people.tsx';
import { Facts } from '../../../ui/panel.tsx';
import classes from './task-page.module.css';
import { canGrow } from './add-images-dialog.tsx';
import { WatchedFolderFact } from './watched-folder-fact.tsx';
import { queries } from '../../../api/queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { GuideTab, GuideText } from '../guide/guide-tab.tsx';
import { LabelChips, LabelEditor } from '../labels/label-editor.tsx';
import { Dimmed, Stack } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';

/** Facts of a task beside its jobs; editable ones are edited in place. */
export function TaskDetails({ task }: { readonly task: Task }) {
  const t = useText();
  const change = useChange(
    (body: z.input<typeof taskPatchSchema>) => call('updateTask', { params: { id: task.id }, body }),
    { reloads: ['tasks', 'jobs'], failed: task.name },
  );
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
          [t('watchedFolder.label'), canGrow(task) && <WatchedFolderFact key="watched" task={task} />],
          [t('tasks.created'), formatDate(task.created_date)],
        ]}
      />
    </div>
  );
}

/** Labels of a task; those of its project are edited there. */
export function TaskLabels({ task }: { readonly task: Task }) {
  const t = useText();
  const labels = useQuery(queries.labels({ task_id: task.id }));
  if (task.project_id !== null) {
    return (
      <Stack gap={8}>
        <LabelChips labels={labels.data ?? []} />
        <Dimmed>
          {t('tasks.labelsOfProject', { name: task.project_name ?? '' })}{' '}
          <Link to="/projects/$projectId" params={{ projectId: String(task.project_id) }} search={{ tab: 'labels' }}>
            {t('tasks.editLabels')}
          </Link>
        </Dimmed>
      </Stack>
    );
  }
  return (
    <Loaded query={labels}>{(loaded) => <LabelEditor owner={{ kind: 'task', id: task.id }} labels={loaded} />}</Loaded>
  );
}

/** Guide of a task. In a project, jobs show the project's guide, which is edited there. */
export function TaskGuide({ task }: { readonly task: Task }) {
  const t = useText();
  const { id, guide_id: guideId, project_id: projectId, project_name: name } = task;
  const project = useQuery({ ...queries.project(projectId ?? 0), enabled: projectId !== null });
  if (projectId === null) return <GuideTab owner={{ kind: 'task', id, guideId }} />;
  return (
    <Loaded query={project}>
      {({ guide_id: shared }) => (
        <Stack gap={12}>
          <Dimmed>
            {t(shared === null ? 'guide.projectNone' : 'guide.ofProject', { name: name ?? '' })}{' '}
            <Link to="/projects/$projectId" params={{ projectId: String(projectId) }} search={{ tab: 'guide' }}>
              {t(shared === null ? 'guide.write' : 'guide.edit')}
            </Link>
          </Dimmed>
          {shared !== null && <GuideText id={shared} />}
        </Stack>
      )}
    </Loaded>
  );
}
