import { z } from 'zod';

const backupIntervals = ['never', 'day', 'week'] as const;

export const backupFileSchema = z.object({
  name: z.string(),
  /** Absolute path on this computer. */
  file: z.string(),
  size_bytes: z.int(),
  created_date: z.string(),
  encrypted: z.boolean(),
  /** Made by the schedule, and removed by it when there are too many. */
  scheduled: z.boolean(),
  /** What an incremental one wrote, with its images and videos; null where it is whole, or was made elsewhere. */
  new_bytes: z.int().nullable(),
});

export const backupSettingsSchema = z.object({
  /** Absolute path of the folder for backups. */
  folder: z.string(),
  every: z.enum(backupIntervals),
  /** From which hour of the day on, by this computer's clock; null: whenever the time has passed. */
  hour: z.int().min(0).max(23).nullable().default(null),
  /** How many backups of the schedule stay. */
  keep: z.int().min(1).max(1000),
  /** Images and videos that an earlier backup of the folder holds are not written again. */
  incremental: z.boolean().default(false),
});

const workSchema = z.enum(['backup', 'restore']);

export const backupOutcomeSchema = z.object({
  kind: workSchema,
  date: z.string(),
  succeeded: z.boolean(),
  file: z.string(),
  /** What became of it, in a sentence. */
  message: z.string(),
});

export const backupsSchema = z.object({
  settings: backupSettingsSchema,
  /** Whether backups of the schedule are encrypted: their passphrase is kept, sealed, in the volume of keys. */
  encrypts: z.boolean(),
  /** Of the disk that the folder is on; null where the folder cannot be read. */
  free_bytes: z.number().nullable(),
  /** Those in the folder, the newest first. */
  backups: z.array(backupFileSchema),
  /** What is being done now. */
  running: z.object({ kind: workSchema, file: z.string(), progress: z.number(), message: z.string() }).nullable(),
  last: backupOutcomeSchema.nullable(),
});

const passphrase = z.string().min(1).max(1000).optional();

export const makeBackupSchema = z.object({
  /** Absolute; a file of the folder for backups, named after the date, when missing. */
  file: z.string().min(1).max(4096).optional(),
  passphrase,
  /** As the settings say, when missing. */
  incremental: z.boolean().optional(),
});

export const backupSettingsPatchSchema = backupSettingsSchema
  .extend({
    incremental: z.boolean(),
    hour: z.int().min(0).max(23).nullable(),
    /** Of the backups of the schedule; null: they are not encrypted. */
    passphrase: z.string().min(1).max(1000).nullable(),
  })
  .partial();

export const restoreBackupSchema = z.object({ file: z.string().min(1).max(4096), passphrase });

/** The way in after the restore: `/launch?token=` signs the owner of what was restored in, once. */
export const restoreStartedSchema = z.object({ launch_token: z.string() });

export type Backups = z.output<typeof backupsSchema>;
export type BackupFile = z.output<typeof backupFileSchema>;
export type BackupSettings = z.output<typeof backupSettingsSchema>;
export type BackupOutcome = z.output<typeof backupOutcomeSchema>;
