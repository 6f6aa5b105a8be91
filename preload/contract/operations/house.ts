import { operation } from '../operation.ts';
import * as history from '../schema/history.ts';
import * as backups from '../schema/backups.ts';
import * as logs from '../schema/logs.ts';
import * as settings from '../schema/settings.ts';
import * as storage from '../schema/storage.ts';

/** Limner's own: the workbench as a whole. */
export const houseOperations = {
  // Limner's own: who has changed what. All of it for administrators; of a project, task or job for whoever sees it.
  listHistory: operation.get('/api/limner/history', 'Who has changed what, the newest first', {
    query: history.historyQuerySchema,
    output: history.historySchema,
  }),

  // Limner's own: backups of the whole workbench. For administrators.
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

  // Limner's own: what it has written down of itself. For administrators.
  listLog: operation.get('/api/limner/log', 'Lines of the log, the newest first', {
    query: logs.logQuerySchema,
    output: logs.logSchema,
  }),
  describeReport: operation.get('/api/limner/report', 'What a report for somebody who helps would pack', {
    output: logs.reportSchema,
  }),

  // Limner's own: settings of this computer. For administrators.
  getSettings: operation.get('/api/limner/settings', 'Settings of this computer', {
    output: settings.workbenchSettingsSchema,
  }),
  changeSettings: operation.patch('/api/limner/settings', 'Change settings of this computer; null resets one', {
    body: settings.workbenchSettingsPatchSchema,
    output: settings.workbenchSettingsSchema,
  }),

  // Limner's own: where the volumes of the workbench are, and the images that are used in place. For administrators.
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
