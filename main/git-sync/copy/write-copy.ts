import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitLoss } from '../../../preload/contract/schema/git.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import { withSource } from '../../formats/io/open-source.ts';
import { AppError } from '../../platform/errors.ts';
import { eachInPortions, inPortions, type Portions } from '../../platform/portions.ts';
import type { ExportJob } from '../../import-export/export/dataset-export-job.ts';
import type { TaskRow } from '../../work/tables/task-table.ts';
import { noteFile } from '../annotation-files.ts';
import type { Files } from '../git-store.ts';
import type { Own } from '../object-edits.ts';
import { blobName, inCopy, noteIn, noteText, type CopyState } from './copy-note.ts';
import type { BaseDependencies } from '../../db/base-dependencies.ts';

export interface CopyDependencies extends Pick<BaseDependencies, 'workers' | 'databaseFile' | 'dataDirectory'> {
  readonly formats: FormatCatalog;
}

export interface WrittenCopy {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly losses: readonly GitLoss[];
}

/** Limit, because a copy is held in memory. */
const maxCopyBytes = 256 * 1024 * 1024;
const tries = 3;

/** Temporary files only; the content is deleted after each operation. */
export const copiesFolder = (dataDirectory: string): string => join(dataDirectory, 'data', 'git-copies');

export async function withFolder<Result>(
  dataDirectory: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(copiesFolder(dataDirectory), { recursive: true });
  const folder = await mkdtemp(join(copiesFolder(dataDirectory), 'copy-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export type WriteCopy = ReturnType<typeof createWriteCopy>;

/** Exports annotations without images and unpacks the result. */
export function createWriteCopy({ workers, formats, databaseFile, dataDirectory }: CopyDependencies) {
  async function written(task: TaskRow, format: string, signal: AbortSignal): Promise<WrittenCopy> {
    const exporter = await formats.exporter(format);
    if (!exporter) throw noFormat(format);
    const plugin = await formats.exporterPlugin(format);
    return withFolder(dataDirectory, async (folder) => {
      const destination = join(folder, 'export');
      const job: ExportJob = {
        databaseFile,
        dataDirectory,
        target: { kind: 'task', id: task.id },
        format,
        plugin,
        saveImages: false,
        options: {},
        onlyAnnotated: false,
        destination,
      };
      const summary = await workers.run('exportDataset', job, { signal });
      const name = `annotations.${exporter.ext.toLowerCase()}`;
      return { files: await unpacked({ path: destination, name }, format), losses: [...summary.dropped] };
    });
  }

  /**
   * Exports exactly the state that was read; reads and exports again if an edit occurs in between.
   * @param first the state as read before
   * @param format of the copy; null for none
   */
  return async function writeCopy<Found extends Own>(
    first: Found,
    read: () => Promise<Found>,
    format: string | null,
    { task, signal }: { readonly task: TaskRow; readonly signal: AbortSignal },
  ): Promise<{ own: Found; copy: WrittenCopy | null }> {
    if (format === null) return { own: first, copy: null };
    let before = first;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const copy = await written(task, format, signal);
      const own = await read();
      if (await inPortions(isSame(before, own))) return { own, copy };
      before = own;
    }
    const message = 'The annotations changed during the export. Nothing was sent. Try again when no one is annotating.';
    throw new AppError('conflict', message);
  };
}

/** Any files, because some formats store masks as images. */
async function unpacked(file: { path: string; name: string }, format: string): Promise<Map<string, Buffer>> {
  return withSource(file, async (source) => {
    const sum = source.entries.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
    if (sum > maxCopyBytes) throw tooLarge(format, sum);
    const files = new Map<string, Buffer>();
    for (const { path } of source.entries) files.set(inCopy(path), await source.read(path));
    return files;
  });
}

function* isSame(a: Own, b: Own): Portions<boolean> {
  const texts = new Map<string, string>();
  yield* eachInPortions(a.ids.values(), ({ kind, id, text }) => void texts.set(`${kind} ${id}`, text));
  let isEqual = a.ids.size === b.ids.size;
  yield* eachInPortions(b.ids.values(), ({ kind, id, text }) => (isEqual &&= texts.get(`${kind} ${id}`) === text));
  return isEqual;
}

/**
 * File changes that a push makes to the exported copy; null deletes a file. Without a copy, all its files are deleted.
 */
export function copyChanges(
  copy: WrittenCopy | null,
  { files: noted, listing }: CopyState,
): Map<string, Buffer | null> {
  const changes = new Map<string, Buffer | null>();
  // Without a note, the files belong to someone else.
  if (copy === null && !noted.has(noteFile)) return changes;
  for (const path of listing.keys()) if (!copy?.files.has(path)) changes.set(path, null);
  for (const [path, bytes] of copy?.files ?? []) if (listing.get(path) !== blobName(bytes)) changes.set(path, bytes);
  return changes;
}

/** Limner's own files with the copy's note. */
export function withNote(own: Files, format: string | null, copy: WrittenCopy | null): Files {
  if (format === null || copy === null) return own;
  const listing = new Map([...copy.files].map(([path, bytes]) => [path, blobName(bytes)]));
  return new Map([...own, [noteFile, noteText(format, own, listing, copy.losses)]]);
}

/** True if the copy has losses that the existing one does not have. */
export function losesMore({ losses }: WrittenCopy, format: string, files: Files): boolean {
  const note = noteIn(files);
  const key = ({ type, label, rule }: GitLoss): string => JSON.stringify([type, label, rule]);
  const known = new Set(note?.format === format ? note.losses.map(key) : []);
  return losses.some((loss) => !known.has(key(loss)));
}

/** Merges lists; counts of the same loss are added. */
export function joinedLosses(all: readonly (readonly GitLoss[])[]): GitLoss[] {
  const joined = new Map<string, GitLoss>();
  for (const loss of all.flat()) {
    const key = JSON.stringify([loss.type, loss.label, loss.rule]);
    joined.set(key, { ...loss, count: loss.count + (joined.get(key)?.count ?? 0) });
  }
  return [...joined.values()];
}

function noFormat(format: string): AppError {
  const message = `There is no exporter for ${format}. Nothing was sent. Choose another format or none, or install the plug-in.`;
  return new AppError('conflict', message);
}

function tooLarge(format: string, bytes: number): AppError {
  const message = `The copy in ${format} would have ${Math.ceil(bytes / 1024 / 1024).toLocaleString('en')} MB; the limit is ${maxCopyBytes / 1024 / 1024} MB. Nothing was sent. Choose another format, or none.`;
  return new AppError('too-large', message);
}
