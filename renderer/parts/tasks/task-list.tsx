import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ask } from '../../ui/confirm.tsx';
import { List } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';
import { ExportDialog, type DatasetTarget } from '../dataset/export-dialog.tsx';
import { ImportDialog } from '../dataset/import-dialog.tsx';
import { TaskListHead, TaskRow } from './task-row.tsx';

/** Deletes a task after asking. Answers whether it is gone. */
export function useDeleteTask(): (task: Task) => Promise<boolean> {
  const t = useText();
  const client = useQueryClient();
  const remove = useMutation({ mutationFn: (id: number) => call('deleteTask', { params: { id } }) });
  return async (task) => {
    const { name } = task;
    const title = t('tasks.deleteTitle');
    const words = { confirm: t('common.delete'), cancel: t('common.cancel') };
    if (!(await ask({ title, text: t('tasks.deleteText', { name }), ...words }))) return false;
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

/** The task as the dialogs of exports and imports know it. */
export const datasetTarget = ({ id, name, mode }: Task): DatasetTarget => ({
  kind: 'task',
  id,
  name,
  isVideo: mode === 'interpolation',
});

/** Rows of tasks with their dialogs. */
export function TaskList({ tasks }: { readonly tasks: readonly Task[] }) {
  const [dialog, setDialog] = useState<{ readonly kind: 'export' | 'import'; readonly task: Task } | null>(null);
  const remove = useDeleteTask();
  const failed = useQuery({ ...queries.failedPreparations(), enabled: tasks.some(({ size }) => size === undefined) });
  const problemOf = (task: Task): string | undefined =>
    task.size === undefined ? failed.data?.find(({ operation }) => operation.task_id === task.id)?.message : undefined;
  const target = dialog && datasetTarget(dialog.task);
  return (
    <>
      <TaskListHead />
      <List>
        {tasks.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            problem={problemOf(task)}
            onExport={() => setDialog({ kind: 'export', task })}
            onImport={() => setDialog({ kind: 'import', task })}
            onDelete={() => void remove(task)}
          />
        ))}
      </List>
      {target !== null && dialog?.kind === 'export' && <ExportDialog target={target} onClose={() => setDialog(null)} />}
      {target !== null && dialog?.kind === 'import' && <ImportDialog target={target} onClose={() => setDialog(null)} />}
    </>
  );
}
