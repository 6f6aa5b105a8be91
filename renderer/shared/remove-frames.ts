import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useText } from '../i18n/index.ts';
import { ask } from '../ui/confirm.tsx';
import { notify } from '../ui/notify.ts';
import { formatBytes } from './format-text.ts';
import { useUndoChange } from './undo-change.ts';

const stale = ['tasks', 'jobs', 'changes', 'history'];

/** Asks, and removes the images of frames for good. Without frames: of all deleted frames. */
export function useRemoveFrames(taskId: number): (frames?: readonly number[]) => Promise<boolean> {
  const t = useText();
  const client = useQueryClient();
  const { offerNewest } = useUndoChange();
  const request = (preview: boolean, frames?: readonly number[]) =>
    call('removeTaskFrames', { params: { id: taskId }, body: { preview, ...(frames && { frames: [...frames] }) } });
  return async (frames) => {
    try {
      const found = await request(true, frames);
      const { frame_count: count, object_count: objects, bytes, files_in_place: inPlace } = found;
      if (count === 0) {
        notify.failure(t('removeFrames.failed'), t('removeFrames.none'));
        return false;
      }
      const kept = inPlace === 0 ? '' : ` ${t('removeFrames.inPlace', { count: inPlace })}`;
      const isSure = await ask({
        title: t('removeFrames.title', { count }),
        text: t('removeFrames.text', { count: objects, size: formatBytes(bytes) }) + kept,
        confirm: t('removeFrames.confirm'),
      });
      if (!isSure) return false;
      await request(false, frames);
      await Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] })));
      await offerNewest({ kind: 'task', id: taskId });
      return true;
    } catch (error) {
      notify.failure(t('removeFrames.failed'), error);
      return false;
    }
  };
}
