import { posix } from 'node:path';
import { AppError } from '../../../platform/errors.ts';
import { isSystemFile, type Source } from '../../io/source.ts';
import { eachFile } from '../dataset-files.ts';
import { withoutExtension } from '../dataset-items.ts';
import type { ImportOptions } from '../plugin.ts';
import type { TaskData } from '../task-data.ts';

interface ImageFilesOptions {
  /** Which entries of an archive or folder may be annotation files, by default those of JSON; a single file always may. */
  readonly isFile?: (path: string) => boolean;
  /** What a data set must have, for the sentence that refuses one without it. */
  readonly needs: string;
  /** Reads one file. False: it is none of the format, and that was reported. */
  readonly read: (path: string, onProgress: (fraction: number) => void) => Promise<boolean>;
}

/** Reads the annotation files of a source one after another. Throws `AppError('invalid')` where there are none. */
export async function readImageFiles(
  source: Source,
  task_data: TaskData,
  options: ImportOptions,
  { isFile = isJsonFile, needs, read }: ImageFilesOptions,
): Promise<void> {
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => source.kind === 'file' || (isFile(path) && !isSystemFile(path)));
  let used = 0;
  await eachFile(paths, task_data, options, async (path, onProgress) => {
    if (await read(path, onProgress)) used += 1;
  });
  if (used === 0) throw new AppError('invalid', `${source.name} holds no ${needs}. Nothing was imported.`);
}

/** Files of JSON, whatever case their extension has. */
export function isJsonFile(path: string): boolean {
  return /\.json$/i.test(path);
}

/**
 * Names of the image that an annotation file is about, the likeliest first: as the file states it, seen from its
 * folder and alone, and as the file itself is called.
 */
export function imageNames(path: string, stated: unknown): string[] {
  const stem = withoutExtension(path);
  // An extension keeps a name of digits from being taken for a frame number; any image extension matches any other.
  const own = [`${stem}.jpg`];
  if (typeof stated !== 'string' || stated.trim() === '') return own;
  const clean = stated.trim().replaceAll('\\', '/');
  const beside = posix.join(posix.dirname(path), clean).replace(/^(\.\.\/)+/, '');
  return clean.startsWith('/') ? [clean, ...own] : [beside, clean, ...own];
}

/** The subset that a path speaks of: its first folder, where it is in one. */
export function subsetOfPath(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? 'default' : path.slice(0, slash);
}
