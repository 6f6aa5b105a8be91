import { operation } from '../operation.ts';
import * as backups from '../schema/backups.ts';

/** Limner's own: backups of the whole workbench. For administrators. */
export const backupOperations = {
  getBackups: operation.get('/api/limner/backups', 'Backups of the whole workbench, and what is being done now', {
    output: backups.backupsSchema,
  }),
  makeBackup: operation.post('/api/limner/backups', 'Back the whole workbench up', {
    status: 202,
    body: backups.makeBackupSchema,
    output: backups.backupsSchema,
  }),
  changeBackupSettings: operation.patch('/api/limner/backups', 'Where and when backups are made, and how many stay', {
    body: backups.backupSettingsPatchSchema,
    output: backups.backupsSchema,
  }),
  restoreBackup: operation.post('/api/limner/backups/restore', 'Put a backup in the place of the whole workbench', {
    status: 202,
    body: backups.restoreBackupSchema,
    output: backups.restoreStartedSchema,
  }),
  cancelBackup: operation.post('/api/limner/backups/cancel', 'Cancel what is being done', {
    status: 200,
    output: backups.backupsSchema,
  }),
} as const;
