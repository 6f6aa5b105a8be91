import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/kit.ts';
import { Cell, RowNote } from '../../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';
import { useTaskActions } from '../bulk/work-actions.tsx';
import { type DatasetTarget, ExportDialog } from '../../../shared/dataset/export-dialog.tsx';
import { ImportDialog } from '../../../shared/dataset/import-dialog.tsx';
import { useColumns } from '../../../shared/lists/columns.tsx';
import { PreviewImage } from '../pages/preview-image.tsx';
import { ItemRows } from '../../../shared/lists/rows/item-rows.tsx';
import { useTaskColumns } from './task-columns.tsx';
import { loadAll, rangeSize } from '../../../shared/lists/list-address.ts';

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
      notify.failure(name, messageOf(error));
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
