import { AppError } from '../../platform/errors.ts';
import type { Source } from '../io/source.ts';
import { readLines, splitLines } from '../io/text-lines.ts';
import type { ImportOptions } from './plugin.ts';
import type { TaskData } from './task-data.ts';

interface DatasetFilesOptions<File> {
  /** Format name and requirement, for the message that rejects other sources. */
  readonly format: string;
  readonly needs: string;
  /** The files to read; undefined if the source is not a dataset of the format. */
  readonly find: () => readonly File[] | undefined;
  readonly read: (file: File) => Promise<void>;
}

/** Reads the files of a dataset in sequence. Throws `AppError('invalid')` for a source of another format. */
export async function readDatasetFiles<File>(
  source: Source,
  task_data: TaskData,
  options: ImportOptions,
  { format, needs, find, read }: DatasetFilesOptions<File>,
): Promise<void> {
  const files = find();
  if (!files) {
    throw new AppError(
      'invalid',
      `${source.name} is not a dataset of ${format}: it has no ${needs}. Nothing was imported.`,
    );
  }
  await eachFile(files, task_data, options, read);
}

/** Processes files in sequence. Between two, the import can be cancelled and other threads can run. */
export async function eachFile<File>(
  files: readonly File[],
  task_data: TaskData,
  { signal, progress }: ImportOptions,
  read: (file: File, onProgress: (fraction: number) => void) => Promise<unknown>,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted();
    const onProgress = (fraction: number): void => progress((index + fraction) / files.length);
    onProgress(0);
    await read(file, onProgress);
    await task_data.backpressure?.();
  }
}

/** Error for a source that is not of the format. */
export function notOfFormat({ name }: Source, format: string, reason: string): AppError {
  return new AppError('invalid', `${name} is not a dataset of ${format}: ${reason}. Nothing was imported.`);
}

const maxSmallBytes = 64 * 1024 * 1024;

/** The list itself, or undefined if it is empty. */
export function someOf<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** Lets other threads run, and the user cancel the import, between chunks of a large file. */
export function pauseBetween(
  task_data: TaskData,
  { signal }: Pick<ImportOptions, 'signal'>,
): () => Promise<void> | undefined {
  return () => {
    signal.throwIfAborted();
    return task_data.backpressure?.();
  };
}

/** Rows of these formats are short, so longer lines are rejected unparsed. */
const maxRowLength = 65_536;

/** Calls `onRow` with each line of a large file. Lines that are too long are reported. */
export async function readRows(
  source: Source,
  path: string,
  { task_data, options }: { readonly task_data: TaskData; readonly options: ImportOptions },
  onRow: (row: string, lineNumber: number) => void,
): Promise<void> {
  const take = (row: string, lineNumber: number): void => {
    if (row.length <= maxRowLength) onRow(row, lineNumber);
    else options.report.invalid(path, `line ${lineNumber}`, `the line has more than ${maxRowLength} characters`);
  };
  await readLines(source.stream(path), take, pauseBetween(task_data, options));
}

/** Like {@link readRows} for a small file: rows with their line numbers. */
export async function smallFileRows(
  source: Source,
  path: string,
  { report }: Pick<ImportOptions, 'report'>,
): Promise<(readonly [row: string, lineNumber: number])[]> {
  return splitLines(await source.read(path, maxSmallBytes)).flatMap((row, index) => {
    if (row.length <= maxRowLength) return [[row, index + 1] as const];
    report.invalid(path, `line ${index + 1}`, `the line has more than ${maxRowLength} characters`);
    return [];
  });
}

/** Label for the objects of a format without labels: `name`, or the task's only label if it does not have `name`. */
export function labelOfAll(task_data: TaskData, name: string, { report }: Pick<ImportOptions, 'report'>): string {
  const [only, second] = task_data.meta.labels;
  if (!only || second || task_data.label(name)) return name;
  report.warn(`The task has no label "${name}": the objects got its only label, "${only.name}".`);
  return only.name;
}
