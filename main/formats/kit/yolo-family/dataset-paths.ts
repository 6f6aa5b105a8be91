import type { Source } from '../../io/source.ts';

const imageExtension = /\.(?:jpe?g|png|bmp|gif|tiff?|webp|avif|heic|heif|jfif|dng|mpo|ppm|pgm)$/i;

export function isImagePath(path: string): boolean {
  return imageExtension.test(path);
}

/** Folder of a path, '' for the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** The parts of a path that a dataset states, whatever machine it was written on: no drive, no `.`, no `..`. */
export function pathParts(stated: string): string[] {
  return stated
    .trim()
    .replaceAll('\\', '/')
    .replace(/^[A-Za-z]:/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** All folders that hold something, at any depth. */
export function foldersOf(source: Source): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of source.entries) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder);
  }
  return folders;
}

/**
 * Finds what a stated path means inside the source: the path itself, or what remains of it when leading folders are
 * taken off, as the prefix `data/`, an absolute path of another machine or `../` need it. At least `minimumParts`
 * parts remain, so that a file of the same name elsewhere is not taken for it.
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
