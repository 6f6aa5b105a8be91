import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../platform/errors.ts';

/** Windows refuses these as file names, with any extension (`con.jpg` too). */
const reservedOnWindows = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;
/** Most file systems allow 255 bytes per name; some bytes stay free for `~12` and `.part`. */
const maxNameBytes = 240;
const usualPart = /^[\w-](?:[\w .-]*[\w-])?$/;

/**
 * The absolute path of `relativePath` inside `root`. Throws `invalid` for paths that leave `root`: `..`, absolute
 * paths, drive letters, NUL, and backslashes, which are separators on Windows.
 */
export function joinInside(root: string, relativePath: string): string {
  const segments = relativePath.split('/');
  const escapes =
    relativePath === '' ||
    relativePath.includes('\0') ||
    relativePath.includes('\\') ||
    /^[a-z]:/i.test(relativePath) ||
    isAbsolute(relativePath) ||
    segments.some((segment) => segment === '..' || segment === '.' || segment === '');
  if (!escapes) {
    const joined = resolve(join(root, ...segments));
    if (isInside(root, joined)) return joined;
  }
  throw new AppError(
    'invalid',
    `Cannot use the path ${JSON.stringify(relativePath)}: it leads outside its folder. Nothing was read or written.`,
  );
}

/** True if the absolute path `path` is inside the folder `root` (the folder itself does not count). */
export function isInside(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path));
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function withoutControlCharacters(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters to take out
  return text.replaceAll(/[\u0000-\u001f\u007f]/g, '');
}

/** True if a client sent a path of its file system: `/home/…`, `C:\…`, `\\server\…`. */
function isClientPath(name: string): boolean {
  return /^([a-z]:)?[\\/]/i.test(name) || /^[a-z]:/i.test(name);
}

/** Blanks are only trimmed for the check, because annotations name images with them. */
const isName = (part: string): boolean => !['', '.', '..'].includes(part.trim());

/**
 * Converts a client's name to a relative name with `/` that is safe to display and store. Removes `.`, `..`, empty
 * parts and the root of an absolute path; its folders remain.
 */
export function safeRelativeName(name: string): string {
  const parts = withoutControlCharacters(name)
    .split(/[\\/]+/)
    .filter(isName);
  for (let first = parts[0]; first !== undefined && /^\s*[a-z]:/i.test(first); first = parts[0]) {
    const rest = first.trimStart().slice(2);
    parts.splice(0, 1, ...(isName(rest) ? [rest] : []));
  }
  return parts.length > 0 ? parts.join('/') : 'unnamed';
}

/**
 * Relative names for uploaded files, in the same order. Relative names keep their folders. A full path of the client
 * (cvat-sdk sends those) becomes its last part. If two files would then share a name, all full paths keep the folders
 * below their common folder.
 */
export function safeRelativeNames(names: readonly string[]): string[] {
  const safe = names.map(safeRelativeName);
  const fromRoot = names.map(isClientPath);
  const short = safe.map((name, index) => (fromRoot[index] ? lastPart(name) : name));
  if (new Set(short).size === short.length) return short;
  const common = commonFolder(safe.filter((_, index) => fromRoot[index]));
  return safe.map((name, index) => (fromRoot[index] ? name.slice(common.length) : name));
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The longest common `folder/` prefix, or ''. */
function commonFolder(paths: readonly string[]): string {
  const first = paths[0];
  if (first === undefined) return '';
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  for (const path of paths) {
    while (!path.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  }
  return folder;
}

/** Truncates at a character border so that the UTF-8 form fits. */
function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let cut = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut;
}

function splitExtension(name: string): { stem: string; extension: string } {
  const found = /^(.+?)(\.[^./]{1,10})$/.exec(name);
  return { stem: found?.[1] ?? name, extension: found?.[2] ?? '' };
}

/** One part of a path in a form that every common file system accepts. */
function portablePart(part: string): string {
  // Most names need no other form, and the replacements below take most of a long list's time.
  if (usualPart.test(part) && part.length <= maxNameBytes && !reservedOnWindows.test(part)) return part;
  const { stem, extension } = splitExtension(part.replaceAll(/[<>:"|?*\\]/g, '_').replace(/[. ]+$/, '_'));
  const cut = `${cutToBytes(stem, maxNameBytes - Buffer.byteLength(extension))}${extension}`;
  return reservedOnWindows.test(cut) ? `_${cut}` : cut;
}

export type NameAllocator = ReturnType<typeof createNameAllocator>;

/** Gives each relative name a unique file name on disk. */
export function createNameAllocator() {
  const names = new Set<string>();
  const renamed: { from: string; to: string }[] = [];
  const nextCopy = new Map<string, number>();
  const nextNumber = new Map<string, number>();
  const folders = new Map<string, string>();
  const taken = new Set<string>();

  const claim = (parent: string, part: string): string => {
    const portable = portablePart(part);
    const path = `${parent}${portable}`;
    const key = foldCase(path);
    if (!taken.has(key)) {
      taken.add(key);
      return path;
    }
    const { stem, extension } = splitExtension(portable);
    for (let number = nextNumber.get(key) ?? 2; ; number += 1) {
      const candidate = `${parent}${stem}~${number}${extension}`;
      const folded = foldCase(candidate);
      if (taken.has(folded)) continue;
      taken.add(folded);
      nextNumber.set(key, number + 1);
      return candidate;
    }
  };
  const folderOnDisk = (folder: string): string => {
    if (folder === '') return '';
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf('/', folder.length - 2) + 1;
    const made = `${claim(folderOnDisk(folder.slice(0, slash)), folder.slice(slash, -1))}/`;
    folders.set(folder, made);
    return made;
  };

  return {
    /** Names that were changed because they were already allocated. */
    renamed,
    /** The name, with ` (2)`, ` (3)`… before the extension if it was already allocated. */
    uniqueName(name: string): string {
      if (!names.has(name)) {
        names.add(name);
        return name;
      }
      const { stem, extension } = splitExtension(name);
      for (let copy = nextCopy.get(name) ?? 2; ; copy += 1) {
        const candidate = `${stem} (${copy})${extension}`;
        if (names.has(candidate)) continue;
        names.add(candidate);
        nextCopy.set(name, copy + 1);
        renamed.push({ from: name, to: candidate });
        return candidate;
      }
    },
    /**
     * A disk path that is unique even if case or Unicode form is ignored. Avoids characters and names that Windows
     * refuses, so that a data folder can be moved between systems.
     */
    diskPath(name: string): string {
      const slash = name.lastIndexOf('/') + 1;
      return claim(folderOnDisk(name.slice(0, slash)), name.slice(slash));
    },
  };
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
