import type { Source } from '../../io/source.ts';

const imageExtension = /\.(?:jpe?g|png|bmp|gif|tiff?|webp|avif|heic|heif|jfif|dng|mpo|ppm|pgm)$/i;

export function isImagePath(path: string): boolean {
  return imageExtension.test(path);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** Segments of a path in a dataset from any operating system, without drive, `.` and `..`. */
export function pathParts(stated: string): string[] {
  return stated
    .trim()
    .replaceAll('\\', '/')
    .replace(/^[A-Za-z]:/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** All non-empty folders at any depth. */
export function foldersOf(source: Source): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of source.entries) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder);
  }
  return folders;
}

/**
 * Finds a stated path in the source: unchanged, or without leading folders (such as `data/`, an absolute path of
 * another machine, or `../`). At least `minimumParts` segments remain, so that it does not match a file of the same
 * name elsewhere.
 */
export function resolvePath(
  stated: string,
  bases: readonly string[],
  exists: (path: string) => boolean,
  minimumParts = 2,
): string | undefined {
  const parts = pathParts(stated);
  const least = Math.min(parts.length, minimumParts);
  for (let start = 0; parts.length - start >= least && start < parts.length; start += 1) {
    const rest = parts.slice(start).join('/');
    for (const base of bases) {
      const path = joinPath(base, rest);
      if (exists(path)) return path;
    }
  }
  return undefined;
}
