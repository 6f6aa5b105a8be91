import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import { AppError } from '../../../platform/errors.ts';

/** Where a function's own files stand in its container, and where Limner's runtime does. */
export const handlerPlace = 'opt/nuclio';
export const runtimePlace = 'opt/limner';

export interface TextFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly content: string | Buffer;
}

/** A folder or file of this machine that goes into an archive, below a path of it or at that path. */
export interface ArchivedFolder {
  readonly source: string;
  readonly place: string;
  /** Names that are left out, wherever they stand; without it what never belongs to a function. */
  readonly skip?: ReadonlySet<string>;
}

/** A directory whose rights matter. */
export interface ArchivedDirectory {
  readonly path: string;
  readonly mode: number;
}

/** Never part of a function. */
const skipped: ReadonlySet<string> = new Set(['.git', '__pycache__', '.DS_Store', '.ipynb_checkpoints']);
const maxEntries = 200_000;

/**
 * A tar of folders and texts for a container or a build. Everything is readable by everybody in it, as functions do not
 * run as the administrator. Links stay links: they lead to places of the container, not of this machine.
 */
export function createArchive(
  folders: readonly ArchivedFolder[],
  files: readonly TextFile[],
  signal?: AbortSignal,
  directories: readonly ArchivedDirectory[] = [],
): Readable {
  const archive = pack();
  const write = async () => {
    const state: State = { entries: 0, directories: new Set<string>() };
    for (const { path, mode } of directories) {
      state.directories.add(path);
      archive.entry({ name: path, type: 'directory', mode });
    }
    for (const folder of folders) await addSource(archive, folder, state, signal);
    for (const { path, content } of files) {
      addParents(archive, path, state.directories);
      await entry(archive, { name: path, mode: 0o644 }, content);
    }
    archive.finalize();
  };
  write().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.from(archive);
}

interface State {
  entries: number;
  readonly directories: Set<string>;
}

async function addSource(
  archive: Pack,
  { source, place, skip = skipped }: ArchivedFolder,
  state: State,
  signal: AbortSignal | undefined,
): Promise<void> {
  const facts = await stat(source);
  if (facts.isDirectory()) {
    addDirectory(archive, place, state.directories);
    await addFolder(archive, source, place, { ...state, skip }, signal);
  } else {
    addParents(archive, place, state.directories);
    await addFile(archive, source, place, facts);
  }
}

async function addFolder(
  archive: Pack,
  source: string,
  place: string,
  state: State & { readonly skip: ReadonlySet<string> },
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const name of (await readdir(source)).toSorted()) {
    signal?.throwIfAborted();
    if (state.skip.has(name)) continue;
    state.entries += 1;
    if (state.entries > maxEntries) throw tooMany(source);
    const from = join(source, name);
    const path = place === '' ? name : `${place}/${name}`;
    const facts = await lstat(from);
    if (facts.isDirectory()) {
      addDirectory(archive, path, state.directories);
      await addFolder(archive, from, path, state, signal);
    } else if (facts.isSymbolicLink()) {
      const target = await readlink(from);
      if (!isAbsolute(target) && !normalize(target).startsWith('..')) {
        archive.entry({ name: path, type: 'symlink', linkname: target });
      }
    } else if (facts.isFile()) await addFile(archive, from, path, facts);
  }
}

/** As many bytes as the file had when it was looked at: one that grows meanwhile must not break the archive. */
async function addFile(archive: Pack, source: string, path: string, { size, mode, mtime }: Stats): Promise<void> {
  const sink = archive.entry({ name: path, size, mode: (mode & 0o111) === 0 ? 0o644 : 0o755, mtime });
  await pipeline(createReadStream(source, { end: Math.max(0, size - 1) }), sink);
}

function addDirectory(archive: Pack, path: string, known: Set<string>): void {
  if (path === '' || known.has(path)) return;
  addParents(archive, path, known);
  known.add(path);
  archive.entry({ name: path, type: 'directory', mode: 0o755 });
}

/** Folders of archives that do not name them would be readable by the administrator only. */
function addParents(archive: Pack, path: string, known: Set<string>): void {
  const parts = path.split('/').slice(0, -1);
  for (let end = 1; end <= parts.length; end += 1) {
    const parent = parts.slice(0, end).join('/');
    if (known.has(parent)) continue;
    known.add(parent);
    // `opt` belongs to the image: naming it would change its rights.
    if (parent !== 'opt') archive.entry({ name: parent, type: 'directory', mode: 0o755 });
  }
}

function entry(archive: Pack, header: { name: string; mode: number }, content: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(header, content, (error) => (error ? reject(error) : resolve()));
  });
}

const tooMany = (folder: string) => {
  const message = `The folder ${folder} holds more than ${maxEntries} files. Choose the folder of the function itself.`;
  return new AppError('invalid', message, { directory: [message] });
};
