import { AppError } from '../../../platform/errors.ts';
import { isSystemFile, type Source } from '../../io/source.ts';
import { withSource } from '../../io/open-source.ts';
import type { ImportOptions, SourceFile } from '../plugin.ts';
import type { TaskData } from '../task-data.ts';

export interface ImageFilesOptions {
  readonly file_object: SourceFile;
  readonly task_data: TaskData;
  readonly options: ImportOptions;
  /** Which entries of an archive or folder may be annotation files; a single file always may. */
  readonly isFile: (path: string) => boolean;
  /** What a data set must have, for the sentence that refuses one without it. */
  readonly needs: string;
  /** Reads one file. False: it is none of the format, and that was reported. */
  readonly read: (source: Source, path: string, onProgress: (fraction: number) => void) => Promise<boolean>;
}

/** Reads the annotation files of a source one after another. Throws `AppError('invalid')` where there are none. */
export async function readImageFiles({
  file_object,
  task_data,
  options: { report, signal, progress },
  isFile,
  needs,
  read,
}: ImageFilesOptions): Promise<void> {
  await withSource(file_object, async (source) => {
    source.warnings.forEach((warning) => report.warn(warning));
    const paths = source.entries
      .map(({ path }) => path)
      .filter((path) => source.kind === 'file' || (isFile(path) && !isSystemFile(path)));
    let used = 0;
    for (const [index, path] of paths.entries()) {
      signal.throwIfAborted();
      const onProgress = (fraction: number): void => progress((index + fraction) / paths.length);
      onProgress(0);
      if (await read(source, path, onProgress)) used += 1;
      await task_data.backpressure?.();
    }
    if (used === 0) throw new AppError('invalid', `${source.name} holds no ${needs}. Nothing was imported.`);
    progress(1);
  });
}

/** Files of JSON, whatever case their extension has. */
export function isJsonFile(path: string): boolean {
  return /\.json$/i.test(path);
}
