import { IconPhotoDown, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { listOf, type ListAddress } from '../../parts/lists/list-controls.tsx';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { workSorts } from '../../parts/lists/work-sorts.ts';
import { TaskList } from '../../parts/tasks/task-list.tsx';
import { Button } from '../../ui/kit.ts';

/** All tasks: the first screen. */
export function TasksPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const tasks = useQuery({ ...queries.tasks(listOf(search)), refetchOnMount: 'always' });
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
      controls={{ search, sorts: workSorts(t), placeholder: t('tasks.search'), nothingFound: t('tasks.nothingFound') }}
    >
      {(found) => <TaskList tasks={found} />}
    </ListPage>
  );
}
