import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';
import { useRestoring, type WorkBackup } from './restoring.ts';

/** Restores one after the other, and opens the last. */
export function useRestore(): (backups: readonly WorkBackup[]) => Promise<void> {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useRestoring((store) => store.start);
  return async (backups) => {
    for (const backup of backups) {
      const restored = await start(backup);
      for (const key of ['tasks', 'projects', 'jobs', 'requests']) void client.invalidateQueries({ queryKey: [key] });
      if (restored === null) return;
      notify.success(t('workBackup.restored', { name: backup.file.name }));
      const id = String(restored.id);
      if (restored.kind === 'task') await navigate({ to: '/tasks/$taskId', params: { taskId: id } });
      else await navigate({ to: '/projects/$projectId', params: { projectId: id } });
    }
  };
}
