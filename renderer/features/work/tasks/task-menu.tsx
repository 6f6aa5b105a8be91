import {
  IconArchive,
  IconCloudUpload,
  IconEraser,
  IconFolderSymlink,
  IconPhoto,
  IconPhotoPlus,
  IconPhotoX,
  IconSparkles,
  IconUpload,
  IconUsers,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { WorkButtons } from '../pages/work-buttons.tsx';
import { useRemoveFrames } from '../../../shared/remove-frames.ts';
import { useUndoChange } from '../../../shared/undo-change.ts';
import { canGrow } from './add-images-dialog.tsx';
import { useDeleteTask } from './task-list.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/kit.ts';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';

function useClearAnnotations({ id, name }: Task): () => Promise<void> {
  const t = useText();
  const { offerNewest } = useUndoChange();
  return async () => {
    const confirm = t('changes.clearAll');
    if (!(await ask({ title: t('changes.clearTitle'), text: t('changes.clearText', { name }), confirm }))) return;
    try {
      await call('clearTaskAnnotations', { params: { id } });
      await offerNewest({ kind: 'task', id });
    } catch (error) {
      notify.failure(name, error);
    }
  };
}

export type TaskDialog =
  | 'add'
  | 'batch'
  | 'export'
  | 'import'
  | 'frames'
  | 'statistics'
  | 'move'
  | 'backup'
  | 'merge'
  | 'publish';

export function TaskMenu({ task, onOpen }: { readonly task: Task; readonly onOpen: (dialog: TaskDialog) => void }) {
  const t = useText();
  const navigate = useNavigate();
  const remove = useDeleteTask();
  const clear = useClearAnnotations(task);
  const removeDeleted = useRemoveFrames(task.id);
  return (
    <>
      <WorkButtons onOpen={onOpen} />
      <MoreMenu of="page">
        {canGrow(task) && (
          <Menu.Item leftSection={<IconPhotoPlus size={16} />} onClick={() => onOpen('add')}>
            {t('addImages.menu')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => onOpen('import')}>
          {t('annotate.import')}
        </Menu.Item>
        {task.size !== undefined && task.size > 0 && (
          <Menu.Item leftSection={<IconSparkles size={16} />} onClick={() => onOpen('batch')}>
            {t('batches.menu')}
          </Menu.Item>
        )}
        {task.consensus_enabled && (
          <Menu.Item leftSection={<IconUsers size={16} />} onClick={() => onOpen('merge')}>
            {t('consensus.merge')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconFolderSymlink size={16} />} onClick={() => onOpen('move')}>
          {t('moving.menu')}
        </Menu.Item>
        <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => onOpen('backup')}>
          {t('workBackup.menu')}
        </Menu.Item>
        {task.size !== undefined && task.size > 0 && (
          <Menu.Item leftSection={<IconCloudUpload size={16} />} onClick={() => onOpen('publish')}>
            {t('remote.publishMenu')}
          </Menu.Item>
        )}
        {task.mode === 'interpolation' && (
          <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => onOpen('frames')}>
            {t('frames.menu')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconEraser size={16} />} onClick={() => void clear()}>
          {t('changes.clearAll')}
        </Menu.Item>
        {canGrow(task) && (
          <Menu.Item leftSection={<IconPhotoX size={16} />} onClick={() => void removeDeleted()}>
            {t('removeFrames.menu')}
          </Menu.Item>
        )}
        <DeleteItem onClick={() => void remove(task).then((gone) => (gone ? navigate({ to: '/tasks' }) : undefined))} />
      </MoreMenu>
    </>
  );
}
