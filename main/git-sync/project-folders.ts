import { ownFile } from './annotation-files.ts';
import type { Files } from './git-store.ts';

/** True if a path in the project's folder is a file of one of its tasks. */
export function isOfTask(path: string): boolean {
  const end = path.indexOf('/');
  return end > 0 && ownFile.test(path.slice(end + 1));
}

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

/** Folder name for a new task, valid on every system and unique. */
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
