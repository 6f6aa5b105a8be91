import { z } from 'zod';

/** The extension of a backup of the whole workbench. */
export const backupExtension = '.limner';

/** Folders of the data directory that a backup holds and that a restore replaces. Logs are not among them. */
export const backupParts = ['db', 'data', 'keys', 'events', 'formats'] as const;

export const headEntry = 'limner-backup.json';
export const databaseEntry = 'db/limner.sqlite.gz';
/** One line for each entry before it: SHA-256, size in bytes, name. */
export const listEntry = 'limner-backup.sha256';
/** Of an incremental backup: a line for each file that lies among the objects beside it, as in the list, with its time. */
export const referencesEntry = 'limner-backup.references';
/** The folder of objects, beside the backups that refer to them. */
export const objectsFolder = 'limner-objects';

/** The first entry. */
export const backupHeadSchema = z.object({
  kind: z.literal('limner-backup'),
  /** 2: incremental. */
  format: z.union([z.literal(1), z.literal(2)]),
  /** Of the program that made it: a restore takes the same. */
  version: z.string().max(100),
  /** Of the database. */
  schema: z.int().nonnegative(),
  created: z.iso.datetime(),
  /** The data directory that it is of: requests name files below it. */
  root: z.string().max(4096),
  /** Without the head and the list. */
  entries: z.int().positive(),
  /** Of all these entries. */
  bytes: z.int().nonnegative(),
  /** Of the store, unpacked. */
  databaseBytes: z.int().positive(),
  /** Of format 2: media that lie among the objects beside the backup. */
  references: z
    .object({
      files: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
      /** Below the folder of objects. */
      store: z.string().regex(/^(plain|sealed-[0-9a-f]{16})$/),
    })
    .optional(),
});
export type BackupHead = z.infer<typeof backupHeadSchema>;

const made = [
  // Thumbnails, chunks and frames, which are made again.
  /^data\/\d+\/cache(\/|$)/,
  // What imports unpack, and uploads that are not whole.
  /^data\/imports/,
  /^data\/uploads\/open(\/|$)/,
  // How commands reach the process that runs now.
  /^keys\/command-line\.json/,
  /\.(part|tmp)$/,
];

/** Whether a file or folder below the parts, by its name with `/`, belongs to a backup. */
export const belongsToBackup = (name: string): boolean => !made.some((pattern) => pattern.test(name));

/** Whether an entry may have this name: below one of the parts, and nowhere else on any system. */
export function isEntryName(name: string): boolean {
  if (name === referencesEntry) return true;
  const [part, ...rest] = name.split('/');
  if (rest.length === 0 || !(backupParts as readonly string[]).includes(part ?? '')) return false;
  if (part === 'db') return name === databaseEntry;
  const isHarmless = (piece: string) => piece !== '' && piece !== '.' && piece !== '..' && !/[\\\0]/.test(piece);
  return rest.every(isHarmless) && belongsToBackup(name);
}

/** The line of an entry in the list. */
export const listLine = (sha256: string, sizeBytes: number, name: string): string =>
  `${sha256} ${sizeBytes} ${name.replaceAll('\n', '\\n')}\n`;
