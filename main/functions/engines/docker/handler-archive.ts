import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import { AppError } from '../../../platform/errors.ts';

/** Folder of the function's files in its container, and the folder of Limner's runtime. */
export const handlerPlace = 'opt/nuclio';
export const runtimePlace = 'opt/limner';

export interface TextFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly content: string | Buffer;
}

/** A folder or file of this computer and its path in the archive. */
export interface ArchivedFolder {
  readonly source: string;
  readonly place: string;
  /** Names that are skipped at any depth; defaults to `skipped`. */
  readonly skip?: ReadonlySet<string>;
}

export interface ArchivedDirectory {
  readonly path: string;
  readonly mode: number;
}

/** Never part of a function. */
const skipped: ReadonlySet<string> = new Set(['.git', '__pycache__', '.DS_Store', '.ipynb_checkpoints']);
const maxEntries = 200_000;

/**
 * Creates a tar of folders and texts for a container or a build. All entries are world-readable, because functions do
 * not run as root. Symbolic links are preserved, because their targets are container paths.
 */
export function createArchive(
  folders: readonly ArchivedFolder[],
  files: readonly TextFile[],
  signal?: AbortSignal,
  directories: readonly ArchivedDirectory[] = [],
): Readable {
  const archive = pack();
  const known = new Set(directories.map(({ path }) => path));

  /** Adds parent folders explicitly, because implicit ones would be readable by root only. */
  function addParents(path: string): void {
    const parts = path.split('/').slice(0, -1);
    for (let end = 1; end <= parts.length; end += 1) {
      const parent = parts.slice(0, end).join('/');
      if (known.has(parent)) continue;
      known.add(parent);
      // `opt` belongs to the image; an entry would change its mode.
      if (parent !== 'opt') archive.entry({ name: parent, type: 'directory', mode: 0o755 });
    }
  }

  function addDirectory(path: string): void {
    if (path === '' || known.has(path)) return;
    addParents(path);
    known.add(path);
    archive.entry({ name: path, type: 'directory', mode: 0o755 });
  }

  async function addSource({ source, place, skip = skipped }: ArchivedFolder): Promise<void> {
    let entries = 0;
    async function addFolder(folder: string, above: string): Promise<void> {
      for (const name of (await readdir(folder)).toSorted()) {
        signal?.throwIfAborted();
        if (skip.has(name)) continue;
        entries += 1;
        if (entries > maxEntries) throw tooMany(folder);
        const from = join(folder, name);
        const path = above === '' ? name : `${above}/${name}`;
        const facts = await lstat(from);
        if (facts.isDirectory()) {
          addDirectory(path);
          await addFolder(from, path);
        } else if (facts.isSymbolicLink()) {
          const target = await readlink(from);
          if (!isAbsolute(target) && !normalize(target).startsWith('..')) {
            archive.entry({ name: path, type: 'symlink', linkname: target });
          }
        } else if (facts.isFile()) await addFile(archive, from, path, facts);
      }
    }
    const facts = await stat(source);
    if (facts.isDirectory()) {
      addDirectory(place);
      await addFolder(source, place);
    } else {
      addParents(place);
      await addFile(archive, source, place, facts);
    }
  }

  const write = async () => {
    for (const { path, mode } of directories) archive.entry({ name: path, type: 'directory', mode });
    for (const folder of folders) await addSource(folder);
    for (const { path, content } of files) {
      addParents(path);
      await entry(archive, { name: path, mode: 0o644 }, content);
    }
    archive.finalize();
  };
  write().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.from(archive);
}

/** Copies exactly the size from `stat`, because a growing file would corrupt the archive. */
async function addFile(archive: Pack, source: string, path: string, { size, mode, mtime }: Stats): Promise<void> {
  const sink = archive.entry({ name: path, size, mode: (mode & 0o111) === 0 ? 0o644 : 0o755, mtime });
  await pipeline(createReadStream(source, { end: Math.max(0, size - 1) }), sink);
}

function entry(archive: Pack, header: { name: string; mode: number }, content: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(header, content, (error) => (error ? reject(error) : resolve()));
  });
}

const tooMany = (folder: string) => {
  const message = `The folder ${folder} contains more than ${maxEntries} files. Choose the folder of the function itself.`;
  return new AppError('invalid', message, { directory: [message] });
};
