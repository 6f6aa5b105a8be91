import type { backupOperations } from '../../../preload/contract/operations/backups.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createBackupHandlers({
  workbenchBackups: backups,
}: Pick<Core, 'workbenchBackups'>): HandlersOf<typeof backupOperations> {
  return {
    getBackups: ({ actor }) => backups.get(actor),
    makeBackup: ({ actor, body }) => backups.make(actor, body),
    changeBackupSettings: ({ actor, body }) => backups.change(actor, body),
    restoreBackup: ({ actor, body }) => backups.restore(actor, body),
    cancelBackup: ({ actor }) => backups.cancel(actor),
  };
}
