import { z } from 'zod';

const backupIntervals = ['never', 'day', 'week'] as const;

export const backupFileSchema = z.object({
  name: z.string(),
  /** Absolute path on this computer. */
  file: z.string(),
  size_bytes: z.int(),
  created_date: z.string(),
  encrypted: z.boolean(),
  /** Created by the schedule, which also deletes it once there are too many. */
  scheduled: z.boolean(),
  /**
   * Bytes that an incremental backup added, including its images and videos; null for a full backup and for one from
   * elsewhere.
   */
  new_bytes: z.int().nullable(),
});

export const backupSettingsSchema = z.object({
  folder: z.string().describe('Absolute path of the folder for backups.'),
  every: z.enum(backupIntervals).describe('Interval of automatic backups.'),
  /** Earliest hour of the day in local time; null: any time. */
  hour: z.int().min(0).max(23).nullable().default(null),
  keep: z.int().min(1).max(1000).describe('Number of automatic backups that are kept.'),
  /** True if images and videos in an earlier backup of the folder are not written again. */
  incremental: z.boolean().default(false),
});

const workSchema = z.enum(['backup', 'restore']);

export const backupOutcomeSchema = z.object({
  kind: workSchema,
  date: z.string(),
  succeeded: z.boolean(),
  file: z.string(),
  message: z.string(),
});

export const backupsSchema = z.object({
  settings: backupSettingsSchema,
  /** True if scheduled backups are encrypted. Their passphrase is stored encrypted in the volume of keys. */
  encrypts: z.boolean(),
  /** Free space on the disk of the folder; null if the folder cannot be read. */
  free_bytes: z.number().nullable(),
  backups: z.array(backupFileSchema),
  running: z.object({ kind: workSchema, file: z.string(), progress: z.number(), message: z.string() }).nullable(),
  last: backupOutcomeSchema.nullable(),
});

const passphrase = z.string().min(1).max(1000).optional();

export const createBackupSchema = z.object({
  /** Absolute path. Default: a file in the backup folder, named after the date. */
  file: z.string().min(1).max(4096).optional(),
  passphrase,
  /** Default: the value in the settings. */
  incremental: z.boolean().optional(),
});

export const backupSettingsPatchSchema = backupSettingsSchema
  .extend({
    incremental: z.boolean().describe('Write only the images and videos that no earlier backup in the folder holds.'),
    hour: z
      .int()
      .min(0)
      .max(23)
      .nullable()
      .describe("Hour of the day from which a backup may start, by this computer's clock. null: any hour."),
    /** Passphrase of scheduled backups; null: not encrypted. */
    passphrase: z.string().min(1).max(1000).nullable(),
  })
  .partial();

export const restoreBackupSchema = z.object({ file: z.string().min(1).max(4096), passphrase });

/** Login after the restore: `/launch?token=` signs in the owner of the restored workbench once. */
export const restoreStartedSchema = z.object({ launch_token: z.string() });

export type Backups = z.output<typeof backupsSchema>;
export type BackupFile = z.output<typeof backupFileSchema>;
export type BackupSettings = z.output<typeof backupSettingsSchema>;
export type BackupOutcome = z.output<typeof backupOutcomeSchema>;
