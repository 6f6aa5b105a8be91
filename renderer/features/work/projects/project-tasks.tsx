import { IconPhotoPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../../../preload/contract/schema/resources.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { taskFields } from '../../../shared/lists/filter/list-filter.ts';
import { type ListAddress, listOf, useOwnView } from '../../../shared/lists/list-address.ts';
import { ListPages, useListControls } from '../../../shared/lists/list-controls.tsx';
import { listKey, NothingFound } from '../../../shared/lists/list-page.tsx';
import { workSorts } from '../pages/work-sorts.ts';
import { useTaskColumns, TaskList } from '../tasks/task-list.tsx';
import { Group } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty } from '../../../ui/page.tsx';

const elsewhere: ReadonlySet<string> = new Set(['project_id', 'project_name']);
/** Without the project filter. */
const fields = taskFields.filter(({ name }) => !elsewhere.has(name));

interface ProjectTasksProps {
  readonly project: Project;
  readonly search: ListAddress;
}

export function ProjectTasks({ project, search }: ProjectTasksProps) {
  const t = useText();
  const listQuery = { ...listOf(search, fields), project_id: String(project.id) };
  const tasks = useQuery({ ...queries.tasks(listQuery), refetchOnMount: 'always' });
  const columns = useTaskColumns({ isOfProject: true });
  const { strip, line } = useListControls({
    list: 'tasks',
    search,
    fields,
    sorts: workSorts(t),
    placeholder: t('tasks.search'),
    views: useOwnView(),
    columns,
  });
  if (project.tasks.count === 0) {
    return (
      <Empty
        icon={<IconPhotoPlus size={40} stroke={1.25} />}
        title={t('projects.noTasksTitle')}
        text={t('projects.noTasksText')}
      />
    );
  }
  return (
    <>
      {strip}
      {line}
      <Loaded query={tasks}>
        {({ count, results }) => (
          <>
            {results.length > 0 ? (
              <TaskList key={listKey(search)} tasks={results} total={count} listQuery={listQuery} />
            ) : (
              <NothingFound search={search} />
            )}
            <Group mt={12} fz="xs" c="dimmed">
              <ListPages search={search} count={count} />
            </Group>
          </>
        )}
      </Loaded>
    </>
  );
}
