import type { Task } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { formatDate, formatShort } from '../format-text.ts';
import type { Column } from '../lists/columns.ts';
import { Person } from '../people/person.tsx';
import { usePeople } from '../people/use-people.ts';
import { userName } from '../people/user-name.ts';
import { TaskProgress } from './task-progress.tsx';

interface TaskColumnsProps {
  readonly problemOf?: (task: Task) => string | undefined;
  /** Of one project: its name in each row would say nothing. */
  readonly isOfProject?: boolean;
}

/** What a list says of tasks. */
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
    areSeveral
      ? {
          key: 'assignee',
          name: t('jobs.assignee'),
          width: 144,
          from: 'middle',
          title: ({ assignee }) => (assignee === null ? undefined : userName(assignee)),
          render: ({ assignee }) => <Person user={assignee} />,
        }
      : null,
    {
      key: 'owner',
      name: t('pages.owner'),
      width: 144,
      from: 'middle',
      isExtra: true,
      title: ({ owner }) => (owner === null ? undefined : userName(owner)),
      render: ({ owner }) => <Person user={owner} />,
    },
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
    {
      key: 'created',
      name: t('tasks.created'),
      width: 104,
      from: 'middle',
      end: true,
      isExtra: true,
      title: (task) => formatDate(task.created_date),
      render: (task) => formatShort(task.created_date),
    },
    {
      key: 'updated',
      name: t('tasks.updated'),
      width: 104,
      from: 'middle',
      end: true,
      title: (task) => formatDate(task.updated_date),
      render: (task) => formatShort(task.updated_date),
    },
  ];
  return columns.filter((column) => column !== null);
}
