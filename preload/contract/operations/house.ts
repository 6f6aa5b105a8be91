import { operation } from '../operation.ts';
import * as history from '../schema/history.ts';
import * as backups from '../schema/backups.ts';
import * as logs from '../schema/logs.ts';
import * as settings from '../schema/settings.ts';
import * as storage from '../schema/storage.ts';

/** Limner extension: administration of the workbench. */
export const houseOperations = {
  // History of changes. Administrators see all of it, other users that of projects, tasks and jobs they can see.
  listHistory: operation.get('/api/limner/history', 'Who has changed what, the newest first', {
    query: history.historyQuerySchema,
    output: history.historySchema,
  }),

  // Backups of the workbench. For administrators.
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

  // Log of the program. For administrators.
  listLog: operation.get('/api/limner/log', 'Lines of the log, the newest first', {
    query: logs.logQuerySchema,
    output: logs.logSchema,
  }),
  describeReport: operation.get('/api/limner/report', 'What a report for somebody who helps would pack', {
    output: logs.reportSchema,
  }),

  // Settings of this computer. For administrators.
  getSettings: operation.get('/api/limner/settings', 'Settings of this computer', {
    output: settings.workbenchSettingsSchema,
  }),
  changeSettings: operation.patch('/api/limner/settings', 'Change settings of this computer; null resets one', {
    body: settings.workbenchSettingsPatchSchema,
    output: settings.workbenchSettingsSchema,
  }),

  // Locations of the volumes, and images that are used in place. For administrators.
  getStorage: operation.get('/api/limner/storage', 'Volumes with their sizes and places, and images used in place', {
    output: storage.storageSchema,
  }),
  getVolumeMove: operation.get('/api/limner/storage/move', 'How far the move of a volume is, and how the last ended', {
    output: storage.storageMoveSchema,
  }),
  moveVolume: operation.post('/api/limner/storage/move', 'Move a volume into another folder of this computer', {
    status: 202,
    body: storage.moveVolumeSchema,
    output: storage.storageMoveSchema,
  }),
  cancelVolumeMove: operation.post('/api/limner/storage/cancel', 'Cancel the move of a volume', {
    status: 200,
    output: storage.storageMoveSchema,
  }),
  relinkImages: operation.post('/api/limner/storage/relink', 'Say where images used in place are now', {
    status: 200,
    body: storage.relinkImagesSchema,
    output: storage.relinkedSchema,
  }),
} as const;
