import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { forEachConcurrently, throwIfCancelled } from './cancellation.ts';
import { isArchiveName } from './identify.ts';
import { toProbeError } from './probe.ts';
import { isInside, joinInside, safeRelativeName, safeRelativeNames } from './safe-path.ts';
import { sortByPath } from './sorting.ts';

export interface UploadedFile {
  /** Name given by the client: a name, a relative path, or the full path on the client's machine. */
  readonly name: string;
  readonly file: string;
}

export interface LocalMedia {
  readonly paths: readonly string[];
  /** If set, no file outside this folder is used, and names are relative to it. */
  readonly root?: string;
  /** Names (as displayed) of files or folders to exclude. */
  readonly exclude?: readonly string[];
}

export interface Candidate {
  readonly path: string;
  readonly file: string;
  /** `uploaded` and `unpacked` files belong to the task and are moved; `local` files belong to the user. */
  readonly origin: 'uploaded' | 'local' | 'unpacked';
}

export interface Skipped {
  readonly name: string;
  /** A sentence. */
  readonly reason: string;
}

export interface Collected {
  readonly candidates: Candidate[];
  readonly archives: Candidate[];
  readonly skipped: Skipped[];
}

const maxFiles = 1_000_000;
const maxDepth = 64;
const kept = 'Nothing was changed.';

/** Pipes are never opened, because a read blocks until another process writes. */
const notAFileSentence = (path: string): string =>
  `${path} is not a file but a pipe, a socket or a device, and was not opened.`;

/** True for files that operating systems and file managers put next to images. */
export function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || /^(__MACOSX|Thumbs\.db|desktop\.ini)$/i.test(part));
}

export async function collectUploads(uploads: readonly UploadedFile[]): Promise<Collected> {
  const collected: Collected = { candidates: [], archives: [], skipped: [] };
  const names = safeRelativeNames(uploads.map(({ name }) => name));
  for (const [index, { file }] of uploads.entries()) {
    const path = names[index] ?? safeRelativeName(file);
    if (isHidden(path)) collected.skipped.push({ name: path, reason: `${path} is a hidden system file.` });
    else await addFile(collected, { path, file, origin: 'uploaded' });
  }
  return collected;
}

/**
 * The files at and below the given paths, folders in natural order. Follows links only inside the folder. Calls `beat`
 * for each folder, so that the caller can stop by throwing.
 */
export async function collectLocal(media: LocalMedia, signal?: AbortSignal, beat?: () => void): Promise<Collected> {
  const collected: Collected = { candidates: [], archives: [], skipped: [] };
  const excluded = (path: string): boolean =>
    (media.exclude ?? []).some((name) => path === name || path.startsWith(`${name.replace(/\/+$/, '')}/`));
  const root = media.root === undefined ? undefined : await realpath(media.root);
  const hasSeveral = media.paths.length > 1;
  for (const given of media.paths) {
    const chosen = await resolveChosen(given, root, collected);
    if (!chosen) continue;
    const { path, isFolder, name } = chosen;
    if (!isFolder) {
      if (!excluded(name)) await addFile(collected, { path: name, file: path, origin: 'local' });
      continue;
    }
    const prefix =
      root === undefined ? (hasSeveral ? `${safeRelativeName(basename(path))}/` : '') : name === '' ? '' : `${name}/`;
    await walk({ top: path, boundary: root ?? path, prefix, excluded, collected, signal, beat });
  }
  return collected;
}

interface Chosen {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

/** Resolves the links of a path that the user chose. Adds to `skipped` if it cannot be used. */
async function resolveChosen(
  given: string,
  root: string | undefined,
  collected: Collected,
): Promise<Chosen | undefined> {
  try {
    const wanted = root === undefined ? given : insideRoot(root, given);
    const path = await realpath(wanted);
    if (root !== undefined && path !== root && !isInside(root, path)) {
      throw new AppError('invalid', `Cannot use ${given}: it is outside the shared folder.`);
    }
    const name = root === undefined ? basename(wanted) : path.slice(root.length + 1).replaceAll('\\', '/');
    const found = await stat(path);
    if (!found.isDirectory() && !found.isFile()) throw new AppError('invalid', notAFileSentence(given));
    return { path, name, isFolder: found.isDirectory() };
  } catch (error) {
    const problem = toProbeError(error, given);
    if (!(problem instanceof AppError)) throw problem;
    collected.skipped.push({ name: given, reason: problem.message });
    return undefined;
  }
}

/**
 * Keeps the first of all candidates that are the same file. A file may be reached directly and through its folder, or
 * under a second name that an interrupted run gave to an upload.
 */
export async function withoutRepeated(
  candidates: readonly Candidate[],
): Promise<{ candidates: Candidate[]; skipped: Skipped[] }> {
  const seen = new Map<string, string>();
  const kept: Candidate[] = [];
  const skipped: Skipped[] = [];
  const shared = new Map<string, string[]>();
  const uploaded = candidates.filter(({ origin }) => origin === 'uploaded');
  await forEachConcurrently(uploaded, 16, async ({ file }) => {
    shared.set(file, await sharedIdentity(file));
  });
  for (const candidate of candidates) {
    const { path, file } = candidate;
    const keys = [file, ...(shared.get(file) ?? [])];
    const first = keys.map((key) => seen.get(key)).find((name) => name !== undefined);
    if (first === undefined) {
      for (const key of keys) seen.set(key, path);
      kept.push(candidate);
    } else {
      skipped.push({ name: path, reason: `${path} is the same file as ${first}, which is used once.` });
    }
  }
  return { candidates: kept, skipped };
}

/** Identity (device and inode) shared by all names of a file with several hard links. */
async function sharedIdentity(file: string): Promise<string[]> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found && found.nlink > 1n ? [`${found.dev}:${found.ino}`] : [];
}

/** A path given for a shared folder: absolute inside it, or relative to it (a leading slash has no effect). */
function insideRoot(root: string, given: string): string {
  if (given === root || isInside(root, given)) return given;
  const relative = given.replace(/^\/+|\/+$/g, '');
  return relative === '' || relative === '.' ? root : joinInside(root, relative);
}

async function addFile(collected: Collected, candidate: Candidate): Promise<void> {
  if (await isArchive(candidate)) collected.archives.push(candidate);
  else collected.candidates.push(candidate);
}

/** Names of files that are nearly always images. */
export const usualImageName = /\.(jpe?g|png|gif|bmp|webp|tiff?|avif)$/i;

/** Decides by name if the name is telling, otherwise by the first bytes. */
async function isArchive({ path, file }: Candidate): Promise<boolean> {
  if (isArchiveName(path)) return true;
  if (usualImageName.test(path)) return false;
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(262), 0, 262, 0);
    return buffer.readUInt32LE(0) === 0x04034b50 || buffer.toString('latin1', 257, 262) === 'ustar';
  } finally {
    await handle.close();
  }
}

interface Walk {
  readonly top: string;
  /** Links may only point into this folder. */
  readonly boundary: string;
  readonly prefix: string;
  readonly excluded: (path: string) => boolean;
  readonly collected: Collected;
  readonly signal: AbortSignal | undefined;
  readonly beat: (() => void) | undefined;
}

async function walk(run: Walk): Promise<void> {
  const { collected, prefix } = run;
  /** `above` holds the real paths of the parent folders: a link back to one of them would be an endless loop. */
  const visit = async (folder: string, relative: string, above: readonly string[]): Promise<void> => {
    throwIfCancelled(run.signal, kept);
    run.beat?.();
    const items = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      collected.skipped.push({
        name: `${prefix}${relative}`,
        reason: `Cannot list the folder: ${(error as Error).message}.`,
      });
      return [];
    });
    const sorted = sortByPath(
      items.map((item) => ({ path: item.name, item })),
      { method: 'natural' },
    );
    for (const { item } of sorted) {
      const path = `${prefix}${relative}${item.name}`;
      if (isHidden(item.name) || run.excluded(path)) continue;
      const found = item.isSymbolicLink()
        ? await followLink(join(folder, item.name), path, run)
        : { file: join(folder, item.name), item };
      if (!found) continue;
      if (found.item.isDirectory()) {
        if (above.includes(found.file) || isInside(found.file, folder)) continue;
        if (above.length >= maxDepth)
          collected.skipped.push({ name: path, reason: `The folder is nested more than ${maxDepth} deep.` });
        else await visit(found.file, `${relative}${item.name}/`, [...above, found.file]);
      } else if (found.item.isFile()) {
        collected.candidates.push({ path, file: found.file, origin: 'local' });
      } else collected.skipped.push({ name: path, reason: notAFileSentence(path) });
      if (collected.candidates.length > maxFiles) {
        throw new AppError(
          'invalid',
          `${run.top} contains more than ${maxFiles.toLocaleString('en')} files. Choose a smaller folder. ${kept}`,
        );
      }
    }
  };
  await visit(run.top, '', [run.top]);
}

async function followLink(
  link: string,
  path: string,
  { boundary, collected }: Walk,
): Promise<{ file: string; item: { isFile: () => boolean; isDirectory: () => boolean } } | undefined> {
  try {
    const file = await realpath(link);
    if (file === boundary || isInside(boundary, file)) return { file, item: await stat(file) };
    collected.skipped.push({
      name: path,
      reason: `${path} is a link that leads outside the folder; only links inside it are followed.`,
    });
  } catch {
    collected.skipped.push({ name: path, reason: `${path} is a link to a file that does not exist.` });
  }
  return undefined;
}
