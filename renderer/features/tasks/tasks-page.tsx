import { IconPhotoDown, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { taskFields } from '../../parts/lists/filter/list-fields.ts';
import { listOf, type ListAddress } from '../../parts/lists/list-address.ts';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { workSorts } from '../../parts/lists/list-sorts.ts';
import { useOwnView } from '../../parts/lists/own-view.ts';
import { ProgressLegend } from '../../parts/tasks/progress-legend.tsx';
import { useTaskColumns } from '../../parts/tasks/task-columns.tsx';
import { TaskList } from '../../parts/tasks/task-list.tsx';
import { Button } from '../../ui/kit.ts';

/** All tasks: the first screen. */
export function TasksPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const asked = listOf(search, taskFields);
  const tasks = useQuery({ ...queries.tasks(asked), refetchOnMount: 'always' });
  const columns = useTaskColumns();
  const views = useOwnView();
  return (
    <ListPage
      title={t('tasks.title')}
      query={tasks}
      empty={{
        icon: <IconPhotoDown size={48} stroke={1.25} />,
        title: t('tasks.emptyTitle'),
        text: t('tasks.emptyText'),
      }}
      create={
        <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ to: '/tasks/new' })}>
          {t('tasks.new')}
        </Button>
      }
      controls={{
        list: 'tasks',
        search,
        fields: taskFields,
        sorts: workSorts(t),
        placeholder: t('tasks.search'),
        views,
        columns,
      }}
      legend={<ProgressLegend />}
    >
      {(found) => <TaskList tasks={found} total={tasks.data?.count ?? 0} asked={asked} />}
    </ListPage>
  );
}
