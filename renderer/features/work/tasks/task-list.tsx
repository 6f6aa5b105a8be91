import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { type Column, dateColumn, personColumn, useColumns } from '../../../shared/lists/columns.tsx';
import { LocalRemoteBadge } from '../../../shared/remotes/remote-badge.tsx';
import { usePeople } from '../../../shared/people/people.tsx';
import { TaskProgress } from '../pages/work-progress.tsx';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/kit.ts';
import { Cell, RowNote } from '../../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';
import { useTaskActions } from '../bulk/work-actions.tsx';
import { type DatasetTarget, ExportDialog } from '../../../shared/dataset/export-dialog.tsx';
import { ImportDialog } from '../../../shared/dataset/import-dialog.tsx';
import { PreviewImage } from '../../../shared/preview-image.tsx';
import { ItemRows } from '../../../shared/lists/rows/item-rows.tsx';
import { loadAll, rangeSize } from '../../../shared/lists/list-address.ts';

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

export function useDeleteTask(): (task: Task) => Promise<boolean> {
  const t = useText();
  const client = useQueryClient();
  const remove = useMutation({ mutationFn: (id: number) => call('deleteTask', { params: { id } }) });
  return async (task) => {
    const { name } = task;
    const title = t('tasks.deleteTitle');
    const confirm = t('common.delete');
    if (!(await ask({ title, text: t('tasks.deleteText', { name }), confirm }))) return false;
    try {
      await remove.mutateAsync(task.id);
    } catch (error) {
      notify.failure(name, error);
      return false;
    }
    notify.success(t('tasks.deleted', { name }));
    void client.invalidateQueries({ queryKey: ['tasks', 'list'] });
    void client.invalidateQueries({ queryKey: ['projects'] });
    return true;
  };
}

export const datasetTarget = ({ id, name, mode }: Task): DatasetTarget => ({
  kind: 'task',
  id,
  name,
  isVideo: mode === 'interpolation',
});

interface TaskListProps {
  readonly tasks: readonly Task[];
  readonly total: number;
  readonly listQuery: Parameters<typeof queries.tasks>[0];
}

export function TaskList({ tasks, total, listQuery }: TaskListProps) {
  const t = useText();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<{ readonly kind: 'export' | 'import'; readonly task: Task } | null>(null);
  const remove = useDeleteTask();
  const failed = useQuery({ ...queries.failedPreparations(), enabled: tasks.some(({ size }) => size === undefined) });
  const problemOf = (task: Task): string | undefined =>
    task.size === undefined ? failed.data?.find(({ operation }) => operation.task_id === task.id)?.message : undefined;
  const columns = useColumns('tasks', useTaskColumns({ problemOf, isOfProject: listQuery.project_id !== undefined }));
  const bulk = useTaskActions();
  const target = dialog && datasetTarget(dialog.task);
  return (
    <>
      <ItemRows
        items={tasks}
        columns={columns}
        nameHead={t('common.name')}
        nameOf={({ name }) => name}
        renderLink={({ id }, row) => <Link to="/tasks/$taskId" params={{ taskId: String(id) }} {...row} />}
        renderLead={({ id, data }) => <PreviewImage kind="task" id={id} version={String(data ?? 0)} />}
        renderName={({ id, name }) => (
          <>
            {name} <LocalRemoteBadge taskId={id} />
          </>
        )}
        renderNote={(task) => {
          const problem = problemOf(task);
          return problem !== undefined && <RowNote text={problem} title={problem} failed />;
        }}
        renderTail={(task) => (
          <MoreMenu of="row">
            <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => setDialog({ kind: 'export', task })}>
              {t('annotate.export')}
            </Menu.Item>
            <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => setDialog({ kind: 'import', task })}>
              {t('annotate.import')}
            </Menu.Item>
            <DeleteItem onClick={() => void remove(task)} />
          </MoreMenu>
        )}
        tailHead={<Cell width={28} />}
        bulk={bulk}
        total={total}
        loadAll={() => loadAll((page) => client.fetchQuery(queries.tasks({ ...listQuery, page, pageSize: rangeSize })))}
      />
      {target !== null && dialog?.kind === 'export' && <ExportDialog target={target} onClose={() => setDialog(null)} />}
      {target !== null && dialog?.kind === 'import' && <ImportDialog target={target} onClose={() => setDialog(null)} />}
    </>
  );
}
