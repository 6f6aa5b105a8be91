import { useState, type DragEvent, type ReactNode } from 'react';
import type { NamedFile } from '../../api/uploads.ts';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  readonly children: ReactNode;
  readonly label: string;
  readonly onFiles: (files: NamedFile[]) => void;
  readonly compact?: boolean;
}

/** Drop area for files and folders; drops do not reach the window. */
export function DropZone({ children, label, onFiles, compact = false }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const stop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  const enter = (event: DragEvent): void => {
    stop(event);
    setOver(true);
  };
  const leave = (event: DragEvent): void => {
    stop(event);
    const { relatedTarget } = event;
    if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget))) setOver(false);
  };
  return (
    <div
      role="group"
      aria-label={label}
      className={classes.zone}
      data-over={over || undefined}
      data-compact={compact || undefined}
      data-own-drop
      onDragEnter={enter}
      onDragLeave={leave}
      onDragOver={enter}
      onDrop={(event) => {
        stop(event);
        setOver(false);
        void filesOfDrop(event.dataTransfer).then(onFiles);
      }}
    >
      {children}
    </div>
  );
}

const entriesOf = (directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = directory.createReader();
  const read = (): Promise<FileSystemEntry[]> => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  // One call returns at most 100 entries.
  const all = async (): Promise<FileSystemEntry[]> => {
    const found: FileSystemEntry[] = [];
    for (let some = await read(); some.length > 0; some = await read()) found.push(...some);
    return found;
  };
  return all();
};

const filesOf = async (entry: FileSystemEntry, folder: string): Promise<NamedFile[]> => {
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.isFile) {
    // `isFile` and `isDirectory` distinguish the two kinds.
    const fileEntry = entry as FileSystemFileEntry;
    return [{ path, file: await new Promise<File>((resolve, reject) => fileEntry.file(resolve, reject)) }];
  }
  const children = await entriesOf(entry as FileSystemDirectoryEntry);
  return (await Promise.all(children.map((child) => filesOf(child, path)))).flat();
};

/** All files of a drop, including those in folders. Must be called within the drop event. */
export async function filesOfDrop(transfer: DataTransfer): Promise<NamedFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const plain = [...transfer.files];
  if (entries.length === 0) return plain.map((file) => ({ file, path: file.name }));
  const found: NamedFile[] = [];
  for (const entry of entries) found.push(...(await filesOf(entry, '')));
  return found;
}

export const filesOfInput = (list: readonly File[]): NamedFile[] =>
  list.map((file) => ({ file, path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath }));

export const dragHasFiles = (event: globalThis.DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true;
