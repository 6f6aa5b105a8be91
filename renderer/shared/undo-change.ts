import { useQueryClient } from '@tanstack/react-query';
import type { AnnotationChange } from '../../preload/contract/schema/annotations.ts';
import { call } from '../api/client.ts';
import { type ChangeOwner, changesOf } from '../api/queries.ts';
import { type TextFunction, useText } from '../i18n/index.ts';
import { notifyAction } from '../ui/notify-action.tsx';
import { notify } from '../ui/notify.ts';

export function changeText(t: TextFunction, { kind, effect, object_count: count, detail }: AnnotationChange): string {
  if (kind === 'import') return t(effect === 'replace' ? 'changes.imported' : 'changes.added', { count, detail });
  if (kind === 'label') return t('changes.label', { count, detail });
  if (kind === 'frames') return t(effect === 'remove' ? 'changes.framesRestored' : 'changes.frames', { count, detail });
  if (kind === 'undo') return t(`changes.undone.${effect}`, { count });
  return t(`changes.${kind}`, { count });
}

const stale = ['changes', 'labels', 'tasks', 'projects', 'jobs'];

/** Restores annotations to the state before a change, and offers it after the change. */
export function useUndoChange(onDone?: () => void) {
  const t = useText();
  const client = useQueryClient();

  const offer = (change: AnnotationChange): void =>
    notifyAction('change', changeText(t, change), {
      label: t('changes.undo'),
      run: () => void undo(change),
    });

  async function undo({ id }: AnnotationChange): Promise<void> {
    try {
      const { change } = await call('undoAnnotationChange', { params: { id } });
      if (change) offer(change);
      else notify.success(t('changes.done'));
      onDone?.();
    } catch (error) {
      notify.failure(t('changes.failed'), error);
    }
    await Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] })));
  }

  return {
    undo,
    /** Offers to undo the latest change of the task, job or project, if that is possible. */
    async offerNewest(owner: ChangeOwner): Promise<void> {
      await client.invalidateQueries({ queryKey: ['changes'] });
      const [newest] = await changesOf(owner).catch(() => []);
      if (newest) offer(newest);
    },
  };
}
