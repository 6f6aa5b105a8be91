import { z } from 'zod';

export const backupExtension = '.limner';

/** Folders of the data directory that are backed up and replaced by a restore. Logs are not included. */
export const backupParts = ['db', 'data', 'keys', 'events', 'formats'] as const;

export const headEntry = 'limner-backup.json';
export const databaseEntry = 'db/limner.sqlite.gz';
/** One line for each preceding entry: SHA-256, size in bytes, name. */
export const listEntry = 'limner-backup.sha256';
/** Incremental backups only: a line for each file in the objects folder, with its modification time. */
export const referencesEntry = 'limner-backup.references';
/** Folder of objects, next to the backups that reference them. */
export const objectsFolder = 'limner-objects';

/** The first entry. */
export const backupHeadSchema = z.object({
  kind: z.literal('limner-backup'),
  /** 2: incremental. */
  format: z.union([z.literal(1), z.literal(2)]),
  /** Program version; a restore requires the same one. */
  version: z.string().max(100),
  /** Schema version of the database. */
  schema: z.int().nonnegative(),
  created: z.iso.datetime(),
  /** Data directory of the backup, because stored requests name files in it. */
  root: z.string().max(4096),
  /** Without the head and the list. */
  entries: z.int().positive(),
  /** Total size of these entries. */
  bytes: z.int().nonnegative(),
  /** Size of the database, uncompressed. */
  databaseBytes: z.int().positive(),
  /** Format 2 only: media in the objects folder. */
  references: z
    .object({
      files: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
      /** Subfolder of the objects folder. */
      store: z.string().regex(/^(plain|sealed-[0-9a-f]{16})$/),
    })
    .optional(),
});
export type BackupHead = z.infer<typeof backupHeadSchema>;

const made = [
  // Thumbnails, chunks and frames, which can be recreated.
  /^data\/\d+\/cache(\/|$)/,
  // Objects of buckets, which can be fetched again.
  /^data\/bucket-cache(\/|$)/,
  // Unpacked imports and incomplete uploads.
  /^data\/imports/,
  /^data\/uploads\/open(\/|$)/,
  // Address of the running process for CLI commands.
  /^keys\/command-line\.json/,
  /\.(part|tmp)$/,
];

/** True if a file or folder belongs to a backup. @param name relative to the data directory, with `/` */
export const belongsToBackup = (name: string): boolean => !made.some((pattern) => pattern.test(name));

/** True for a valid entry name: below one of the parts and safe on every system. */
export function isEntryName(name: string): boolean {
  if (name === referencesEntry) return true;
  const [part, ...rest] = name.split('/');
  if (rest.length === 0 || !(backupParts as readonly string[]).includes(part ?? '')) return false;
  if (part === 'db') return name === databaseEntry;
  const isHarmless = (piece: string) => piece !== '' && piece !== '.' && piece !== '..' && !/[\\\0]/.test(piece);
  return rest.every(isHarmless) && belongsToBackup(name);
}

export const listLine = (sha256: string, sizeBytes: number, name: string): string =>
  `${sha256} ${sizeBytes} ${name.replaceAll('\n', '\\n')}\n`;
