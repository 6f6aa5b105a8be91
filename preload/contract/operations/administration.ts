import { operation } from '../operation.ts';
import * as history from '../schema/history.ts';
import * as backups from '../schema/backups.ts';
import * as logs from '../schema/logs.ts';
import * as settings from '../schema/settings.ts';
import * as storage from '../schema/storage.ts';

/** Limner extension: administration of the workbench. */
export const administrationOperations = {
  // History of changes. Administrators see all of it, other users that of projects, tasks and jobs they can see.
  listHistory: operation.get('/api/limner/history', 'Changes, newest first', {
    query: history.historyQuerySchema,
    output: history.historySchema,
  }),

  getBackups: operation.get('/api/limner/backups', 'Backups of the workbench, and the current operation', {
    output: backups.backupsSchema,
  }),
  createBackup: operation.post('/api/limner/backups', 'Back up the workbench', {
    status: 202,
    body: backups.createBackupSchema,
    output: backups.backupsSchema,
  }),
  changeBackupSettings: operation.patch('/api/limner/backups', 'Change folder, schedule and number of backups', {
    body: backups.backupSettingsPatchSchema,
    output: backups.backupsSchema,
  }),
  restoreBackup: operation.post('/api/limner/backups/restore', 'Restore a backup of the workbench', {
    status: 202,
    body: backups.restoreBackupSchema,
    output: backups.restoreStartedSchema,
  }),
  cancelBackup: operation.post('/api/limner/backups/cancel', 'Cancel the current operation', {
    status: 200,
    output: backups.backupsSchema,
  }),

  listLog: operation.get('/api/limner/log', 'Log lines, newest first', {
    query: logs.logQuerySchema,
    output: logs.logSchema,
  }),
  describeReport: operation.get('/api/limner/report', 'Contents of a diagnostic report', {
    output: logs.reportSchema,
  }),

  getSettings: operation.get('/api/limner/settings', 'Settings of this computer', {
    output: settings.workbenchSettingsSchema,
  }),
  changeSettings: operation.patch('/api/limner/settings', 'Change settings of this computer; null resets one', {
    body: settings.workbenchSettingsPatchSchema,
    output: settings.workbenchSettingsSchema,
  }),

  checkForUpdate: operation.post('/api/limner/update-check', 'Ask the address in the settings for the latest release', {
    status: 200,
    output: settings.updateCheckSchema,
  }),

  // Locations of the volumes, and images that are used in place. For administrators.
  getStorage: operation.get('/api/limner/storage', 'Volumes with their sizes and folders, and images used in place', {
    output: storage.storageSchema,
  }),
  getVolumeMove: operation.get('/api/limner/storage/move', "Progress of a volume's move, and the last result", {
    output: storage.storageMoveSchema,
  }),
  moveVolume: operation.post('/api/limner/storage/move', 'Move a volume to another folder of this computer', {
    status: 202,
    body: storage.moveVolumeSchema,
    output: storage.storageMoveSchema,
  }),
  cancelVolumeMove: operation.post('/api/limner/storage/cancel', 'Cancel the move of a volume', {
    status: 200,
    output: storage.storageMoveSchema,
  }),
  relinkImages: operation.post('/api/limner/storage/relink', 'Register the new folder of images used in place', {
    status: 200,
    body: storage.relinkImagesSchema,
    output: storage.relinkedSchema,
  }),
} as const;
