import { useNavigate } from '@tanstack/react-router';
import { useOpenedBackup } from '../parts/backup/opened-backup.ts';

/** Goes to the settings, which ask whether the backup is to be restored. */
export function useRestoreOpened(): (path: string) => void {
  const navigate = useNavigate();
  const set = useOpenedBackup((state) => state.set);
  return (path) => {
    set(path);
    void navigate({ to: '/settings/$section', params: { section: 'backup' } });
  };
}
