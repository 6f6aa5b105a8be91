import type { z } from 'zod';
import { type Source, stripTopFolder } from '../../../formats/io/source.ts';
import { openSource } from '../../../formats/io/open-source.ts';
import type { SourceFile } from '../../../formats/kit/plugin.ts';
import { AppError } from '../../../platform/errors.ts';
import { backupFiles } from './backup-layout.ts';

/** Higher limits than for datasets, because a backup holds all media of its tasks. */
export const backupLimits = { maxEntries: 1_000_000, maxTotalBytes: 256 * 1024 ** 3 };
const maxJsonBytes = 256 * 1024 * 1024;

export const damagedBackup = (reason: string, cause?: unknown) =>
  new AppError(
    'invalid',
    `The backup is damaged or incomplete: ${reason}. Nothing was restored; get a fresh copy of the file.`,
    undefined,
    { cause },
  );

/** The backup in an archive, which may have been repacked with a folder around it. */
export const backupView = (source: Source): Source =>
  stripTopFolder(source, (path) => path === backupFiles.task || path === backupFiles.project);

/** Opens a backup's archive and passes it to `use`. Names, links, sizes and ratios are checked as for any archive. */
export async function withBackup<Result>(file: SourceFile, use: (source: Source) => Promise<Result>): Promise<Result> {
  const source = await openSource(file, backupLimits);
  try {
    if (source.kind !== 'zip') throw damagedBackup('it is not a ZIP archive');
    return await use(backupView(source));
  } finally {
    await source.close();
  }
}

/** Reads a JSON file of the backup. Errors name its path and the invalid member. */
export async function readBackupJson<Schema extends z.ZodType>(
  source: Source,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!source.has(path)) throw damagedBackup(`${path} is missing`);
  const text = new TextDecoder().decode(await source.read(path, maxJsonBytes));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw damagedBackup(`${path} is not valid JSON`, cause);
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (version !== undefined && version !== '1.0') {
    throw new AppError(
      'invalid',
      `The backup has version ${JSON.stringify(version).slice(0, 40)}, and only 1.0 can be restored. Nothing was restored.`,
    );
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damagedBackup(`${path}, ${issue?.path.join('.') || 'as a whole'}: ${issue?.message ?? 'not as it must be'}`);
}
