import type { Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { AppError } from '../../platform/errors.ts';
import { streamRange, tooLargeToRead, unknownEntry } from './source-single-file.ts';
import type { Source, SourceEntry, SourceFile, SourceLimits } from './source.ts';

const maxDepth = 32;

interface Listing {
  readonly entries: SourceEntry[];
  readonly warnings: string[];
}

/** Resolves a link, or returns the reason to skip it. Only files inside the selected folder are read. */
async function targetOf(root: string, path: string): Promise<Stats | string> {
  const link = join(root, path);
  try {
    const [target, place, top] = [await realpath(link), await realpath(join(link, '..')), await realpath(root)];
    if (!target.startsWith(`${top}${sep}`)) return 'it leads out of the folder that was chosen';
    if (`${place}${sep}`.startsWith(`${target}${sep}`)) return 'it leads back to a folder above it';
    return await stat(target);
  } catch {
    return 'its target does not exist, or cannot be read';
  }
}

async function list(
  root: string,
  folder: string,
  limits: SourceLimits,
  listing: Listing,
  depth: number,
): Promise<void> {
  const items = await readdir(join(root, folder), { withFileTypes: true });
  items.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const item of items) {
    const path = folder === '' ? item.name : `${folder}/${item.name}`;
    const meant = item.isSymbolicLink() ? await targetOf(root, path) : item;
    if (typeof meant === 'string') listing.warnings.push(`The link "${path}" was left out: ${meant}.`);
    else if (meant.isDirectory() && depth >= maxDepth)
      listing.warnings.push(`The folder "${path}" was left out: it is nested too deep.`);
    else if (meant.isDirectory()) await list(root, path, limits, listing, depth + 1);
    else if (meant.isFile()) listing.entries.push({ path, sizeBytes: (await stat(join(root, path))).size });
    if (listing.entries.length > limits.maxEntries) {
      throw new AppError(
        'invalid',
        `${basename(root)} has more than ${limits.maxEntries} files. Choose the dataset's own folder.`,
      );
    }
  }
}

/** Opens a local folder. Links inside it are followed; links that leave it are skipped with a warning each. */
export async function openFolder(file: SourceFile, limits: SourceLimits): Promise<Source> {
  const listing: Listing = { entries: [], warnings: [] };
  await list(file.path, '', limits, listing, 0);
  const sizes = new Map(listing.entries.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const sizeOf = (path: string): number => {
    const sizeBytes = sizes.get(path);
    if (sizeBytes === undefined) throw unknownEntry(file.name, path);
    return sizeBytes;
  };
  const local = (path: string) => ({ path: join(file.path, path), offset: 0, sizeBytes: sizeOf(path) });
  return {
    kind: 'folder',
    name: file.name,
    entries: listing.entries,
    warnings: listing.warnings,
    has: (path) => sizes.has(path),
    async read(path, maxBytes = limits.maxReadBytes) {
      const sizeBytes = sizeOf(path);
      if (sizeBytes > maxBytes) throw tooLargeToRead(path, sizeBytes, maxBytes);
      return readFile(join(file.path, path));
    },
    stream: (path) => streamRange(local(path)),
    localPath: async (path) => local(path),
    close: async () => {},
  };
}
