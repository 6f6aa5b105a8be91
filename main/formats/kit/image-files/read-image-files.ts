import { posix } from 'node:path';
import { AppError } from '../../../platform/errors.ts';
import { isSystemFile, type Source } from '../../io/source.ts';
import { eachFile } from '../dataset-files.ts';
import { withoutExtension } from '../dataset-items.ts';
import type { ImportOptions } from '../plugin.ts';
import type { TaskData } from '../task-data.ts';

interface ImageFilesOptions {
  /** Selects annotation files in an archive or folder (default: JSON). A single file is always accepted. */
  readonly isFile?: (path: string) => boolean;
  /** Requirement of the format, for the message that rejects other datasets. */
  readonly needs: string;
  /** Reads one file. Returns false if it is of another format, which was reported. */
  readonly read: (path: string, onProgress: (fraction: number) => void) => Promise<boolean>;
}

/** Reads the annotation files of a source in sequence. Throws `AppError('invalid')` if there are none. */
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
  if (used === 0) throw new AppError('invalid', `${source.name} has no ${needs}. Nothing was imported.`);
}

/** True for JSON files; the extension may be in upper case. */
export function isJsonFile(path: string): boolean {
  return /\.json$/i.test(path);
}

/**
 * Candidate names of the image of an annotation file, most likely first: the stated name relative to the file's folder
 * and alone, then the name of the file itself.
 */
export function imageNames(path: string, stated: unknown): string[] {
  const stem = withoutExtension(path);
  // The extension prevents a name of digits from being read as a frame number. Any image extension matches.
  const own = [`${stem}.jpg`];
  if (typeof stated !== 'string' || stated.trim() === '') return own;
  const clean = stated.trim().replaceAll('\\', '/');
  const beside = posix.join(posix.dirname(path), clean).replace(/^(\.\.\/)+/, '');
  return clean.startsWith('/') ? [clean, ...own] : [beside, clean, ...own];
}

/**
 * Name of an image that a file names with or without its extension. The added extension prevents a name of digits from
 * being read as a frame number. Any image extension matches.
 */
export const asImageName = (name: string): string => (/\.[a-z]\w{2,3}$/i.test(name) ? name : `${name}.jpg`);

/** Subset of a path: its first folder, or the default. */
export function subsetOfPath(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? 'default' : path.slice(0, slash);
}
