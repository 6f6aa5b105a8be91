import type { NamedFile } from '../../api/uploads.ts';

/**
 * A file of a drop or a dialog. The browser lists the names of a dropped folder fast, but needs a third of a millisecond
 * for each file, so files are opened when they are needed.
 */
export interface FoundFile {
  readonly path: string;
  readonly file: File | (() => Promise<File>);
}

/** Rejects if the file was removed or cannot be read. */
export const openFound = async ({ file }: FoundFile): Promise<File> => (file instanceof File ? file : file());

const openedAtOnce = 32;

/** Opens all files. */
export async function openAllFound(found: readonly FoundFile[]): Promise<NamedFile[]> {
  const opened: NamedFile[] = [];
  for (let at = 0; at < found.length; at += openedAtOnce) {
    const some = found.slice(at, at + openedAtOnce);
    opened.push(...(await Promise.all(some.map(async (one) => ({ path: one.path, file: await openFound(one) })))));
  }
  return opened;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

async function list(entry: FileSystemEntry, folder: string, found: FoundFile[]): Promise<void> {
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (isFile(entry)) found.push({ path, file: () => new Promise((resolve, reject) => entry.file(resolve, reject)) });
  if (!isFolder(entry)) return;
  const reader = entry.createReader();
  const read = (): Promise<FileSystemEntry[]> => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  // One call returns at most 100 entries.
  for (let some = await read(); some.length > 0; some = await read()) {
    for (const child of some) {
      // Without a turn of the event loop for each file.
      if (isFile(child)) void list(child, path, found);
      else await list(child, path, found);
    }
  }
}

/** Lists the files of a drop, including those in folders. Must be called within the drop event. */
export async function filesOfDrop(transfer: DataTransfer): Promise<FoundFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const plain = [...transfer.files];
  if (entries.length === 0) return plain.map((file) => ({ file, path: file.name }));
  const found: FoundFile[] = [];
  for (const entry of entries) await list(entry, '', found);
  return found;
}

export const filesOfInput = (files: readonly File[]): NamedFile[] =>
  files.map((file) => ({ file, path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath }));

export const dragHasFiles = (event: globalThis.DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true;
