import { ownFile } from './annotation-files.ts';
import { isOfCopy } from './copy/copy-note.ts';
import type { Files } from './git-store.ts';

/** Whether a path below the folder of a project is a file of one of its tasks. */
export function isOfTask(path: string): boolean {
  const end = path.indexOf('/');
  return end > 0 && ownFile.test(path.slice(end + 1));
}

/** Whether a path below the folder of a project is of the copy of one of its tasks. */
export function isOfTaskCopy(path: string): boolean {
  const end = path.indexOf('/');
  return end > 0 && isOfCopy(path.slice(end + 1));
}

/** What a project has, each task for itself: by the names of their folders. */
export function byTask(files: Files): ReadonlyMap<string, Files> {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const end = path.indexOf('/');
    const name = path.slice(0, end);
    const folder = folders.get(name) ?? new Map<string, string>();
    folders.set(name, folder);
    folder.set(path.slice(end + 1), text);
  }
  return folders;
}

/** The name of the folder of a new task: one that every system takes, and that no other one has. */
export function folderFor(taskName: string, taken: Iterable<string>): string {
  const plain = taskName
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80);
  const wanted = plain === '' ? 'task' : plain;
  const known = new Set([...taken].map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!known.has(name.toLowerCase())) return name;
  }
}

export const joinedPath = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/');
