import { AppError } from '../../../platform/errors.ts';
import { isSystemFile, type Source } from '../../io/source.ts';
import { eachFile } from '../dataset-files.ts';
import type { ImportOptions } from '../plugin.ts';
import type { TaskData } from '../task-data.ts';

export interface ImageFilesOptions {
  readonly source: Source;
  readonly task_data: TaskData;
  readonly options: ImportOptions;
  /** Which entries of an archive or folder may be annotation files; a single file always may. */
  readonly isFile: (path: string) => boolean;
  /** What a data set must have, for the sentence that refuses one without it. */
  readonly needs: string;
  /** Reads one file. False: it is none of the format, and that was reported. */
  readonly read: (path: string, onProgress: (fraction: number) => void) => Promise<boolean>;
}

/** Reads the annotation files of a source one after another. Throws `AppError('invalid')` where there are none. */
export async function readImageFiles({
  source,
  task_data,
  options,
  isFile,
  needs,
  read,
}: ImageFilesOptions): Promise<void> {
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
