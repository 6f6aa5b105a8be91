import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { GuideTab, GuideText } from '../guide/guide-tab.tsx';
import { LabelChips, LabelEditor } from '../labels/label-editor.tsx';
import { Dimmed, Stack } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';

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
