import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { type Column, dateColumn, personColumn } from '../../../shared/lists/columns.tsx';
import { usePeople } from '../../../shared/people/use-people.ts';
import { TaskProgress } from '../pages/work-progress.tsx';

interface TaskColumnsProps {
  readonly problemOf?: (task: Task) => string | undefined;
  readonly isOfProject?: boolean;
}

const date = { width: 104, from: 'middle' } as const;

export function useTaskColumns({ problemOf, isOfProject = false }: TaskColumnsProps = {}): readonly Column<Task>[] {
  const t = useText();
  const { areSeveral } = usePeople();
  const columns: readonly (Column<Task> | null)[] = [
    isOfProject
      ? null
      : {
          key: 'project',
          name: t('tasks.project'),
          from: 'middle',
          title: (task) => task.project_name ?? undefined,
          render: (task) => task.project_name,
        },
    {
      key: 'progress',
      name: t('tasks.progress'),
      width: 152,
      render: (task) => <TaskProgress task={task} isFailed={problemOf?.(task) !== undefined} />,
    },
    areSeveral ? personColumn({ key: 'assignee', name: t('jobs.assignee') }, ({ assignee }) => assignee) : null,
    personColumn({ key: 'owner', name: t('pages.owner'), isExtra: true }, ({ owner }) => owner),
    {
      key: 'frames',
      name: t('tasks.frameCount'),
      width: 72,
      from: 'wide',
      end: true,
      render: ({ size }) => (size === undefined ? '–' : formatNumber(size)),
    },
    {
      key: 'subset',
      name: t('tasks.subset'),
      width: 104,
      from: 'wide',
      title: ({ subset }) => subset,
      render: ({ subset }) => (subset === '' ? '–' : subset),
    },
    dateColumn({ key: 'created', name: t('tasks.created'), ...date, isExtra: true }, (task) => task.created_date),
    dateColumn({ key: 'updated', name: t('tasks.updated'), ...date }, (task) => task.updated_date),
  ];
  return columns.filter((column) => column !== null);
}
