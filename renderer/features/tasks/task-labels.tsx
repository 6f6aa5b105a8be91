import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { LabelChips } from '../../parts/labels/label-chips.tsx';
import { LabelEditor } from '../../parts/labels/label-editor.tsx';
import { Anchor, Dimmed, Stack } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';

/** The labels of a task; those of its project are changed there. */
export function TaskLabels({ task }: { readonly task: Task }) {
  const t = useText();
  const labels = useQuery(queries.labels({ task_id: task.id }));
  if (task.project_id !== null) {
    return (
      <Stack gap={8}>
        <LabelChips labels={labels.data ?? []} />
        <Dimmed>
          {t('tasks.labelsOfProject', { name: task.project_name ?? '' })}{' '}
          <Anchor
            fz="sm"
            underline="always"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/projects/$projectId"
                params={{ projectId: String(task.project_id) }}
                search={{ tab: 'labels' }}
              />
            )}
          >
            {t('tasks.editLabels')}
          </Anchor>
        </Dimmed>
      </Stack>
    );
  }
  return (
    <Loaded query={labels}>{(loaded) => <LabelEditor owner={{ kind: 'task', id: task.id }} labels={loaded} />}</Loaded>
  );
}
