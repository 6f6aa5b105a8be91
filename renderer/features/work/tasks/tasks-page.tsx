import { IconPhotoDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { refetchUnlessJustLoaded } from '../../../api/query-options.ts';
import { queries } from '../../../api/queries.ts';
import { useOrganizationContext } from '../../../api/organization-context.ts';
import { useText } from '../../../i18n/index.ts';
import { projectFields, taskFields } from '../../../shared/lists/filter/list-filter.ts';
import { type ListAddress, listOf, useOwnView } from '../../../shared/lists/list-address.ts';
import { ListPage, NewButton } from '../../../shared/lists/list-page.tsx';
import { WelcomePage } from '../first-start/welcome-page.tsx';
import { workSorts } from '../pages/work-sorts.ts';
import { useTaskColumns, TaskList } from './task-list.tsx';
import { ProgressLegend } from '../pages/work-progress.tsx';

/** True if the user has neither tasks nor projects, outside organizations. */
function useFirstStart({ q, filter }: ListAddress, taskCount: number | undefined): boolean {
  const isPersonal = useOrganizationContext(({ slug }) => slug === null || slug === '');
  const mayBe = isPersonal && q === undefined && filter === undefined && taskCount === 0;
  const projects = useQuery({ ...queries.projects(listOf({}, projectFields)), enabled: mayBe });
  return mayBe && projects.data?.count === 0;
}

export function TasksPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const listQuery = listOf(search, taskFields);
  const tasks = useQuery({ ...queries.tasks(listQuery), ...refetchUnlessJustLoaded });
  const columns = useTaskColumns();
  const views = useOwnView();
  const isFirstStart = useFirstStart(search, tasks.data?.count);
  if (isFirstStart) return <WelcomePage />;
  return (
    <ListPage
      words="tasks"
      icon={IconPhotoDown}
      query={tasks}
      create={<NewButton text={t('tasks.new')} onClick={() => void navigate({ to: '/tasks/new' })} />}
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
      {(found) => <TaskList tasks={found} total={tasks.data?.count ?? 0} listQuery={listQuery} />}
    </ListPage>
  );
}
