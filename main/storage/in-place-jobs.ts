import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { ImageFolder, Relinked } from '../../preload/contract/schema/storage.ts';
import { Store } from '../db/store.ts';
import { hashInIdentity, identityOf } from '../media/image-identity.ts';
import type { JobRun } from '../platform/worker-job.ts';
import { createInPlaceRepository, type InPlaceFile } from './in-place-repository.ts';

export interface ImageFoldersJob {
  readonly databaseFile: string;
}

/** Folders whose files tasks use in place, with the number of missing files. */
export async function findImageFolders({ databaseFile }: ImageFoldersJob): Promise<ImageFolder[]> {
  const database = new Store(databaseFile, { readonly: true });
  try {
    const byTask = Map.groupBy(absolute(createInPlaceRepository(database).files()), ({ task_id: id }) => id);
    const folders = new Map<string, ImageFolder>();
    for (const [id, files] of byTask) {
      const folder = commonFolder(files.map(({ file }) => file));
      const known = folders.get(folder) ?? { folder, files: 0, missing: 0, tasks: [] };
      const missing = await countMissing(files);
      const task = { id, name: files[0]?.task_name ?? '', missing };
      const sum = { files: known.files + files.length, missing: known.missing + missing };
      folders.set(folder, { ...known, ...sum, tasks: [...known.tasks, task] });
    }
    return [...folders.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  } finally {
    database.close();
  }
}

/** Skips paths of another operating system, which a copied database may contain. */
const absolute = (files: readonly InPlaceFile[]): InPlaceFile[] =>
  files.filter(({ file }) => isAbsolute(file) || /^[A-Za-z]:[\\/]/.test(file));

/** Normalizes paths of any system to `/`. */
const plain = (path: string): string => path.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '');

function commonFolder(files: readonly string[]): string {
  let common: string[] | null = null;
  for (const file of files) {
    const pieces = plain(file).split('/').slice(0, -1);
    const before: string[] = common ?? pieces;
    const parting = before.findIndex((piece, index) => piece !== pieces[index]);
    common = parting < 0 ? before : before.slice(0, parting);
  }
  return common?.join('/') || '/';
}

async function countMissing(files: readonly InPlaceFile[]): Promise<number> {
  let missing = 0;
  for (const { file } of files) if (!(await isFile(file))) missing += 1;
  return missing;
}

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isFile() ?? false;

export interface RelinkJob extends ImageFoldersJob {
  readonly from: string;
  readonly to: string;
}

type Run = Pick<JobRun, 'checkCancelled' | 'turns'>;

/**
 * Replaces paths of files that moved from `from` to `to`: the same relative path, or any path with the same content.
 * Files with other content are rejected. All paths are written in one transaction.
 */
export async function relinkImages(
  { databaseFile, from, to }: RelinkJob,
  run: Run,
): Promise<Omit<Relinked, 'message'>> {
  const database = new Store(databaseFile, { turns: run.turns });
  try {
    const repository = createInPlaceRepository(database);
    const below = `${plain(from)}/`.replace('//', '/');
    const wanted = absolute(repository.files()).filter(({ file }) => plain(file).startsWith(below));
    const root = await realpath(to);
    const moves: [InPlaceFile, string][] = [];
    const lost: InPlaceFile[] = [];
    let other = 0;
    for (const one of wanted) {
      run.checkCancelled();
      const path = join(root, ...plain(one.file).slice(below.length).split('/'));
      const state = await compare(one, path, root);
      if (state === 'same') moves.push([one, path]);
      else lost.push(one);
      if (state === 'other') other += 1;
    }
    const byContent = await findByContent(lost, root, run);
    const all = [...moves, ...byContent];
    const identities = await Promise.all(all.map(async ([one, path]) => one.identity && (await newIdentity(path))));
    database.write(() => {
      for (const [index, [one, path]] of all.entries()) repository.move(one, path, identities[index] ?? null);
    });
    const missing = lost.length - byContent.length;
    return { found: all.length, by_content: byContent.length, missing, other: Math.min(other, missing) };
  } finally {
    database.close();
  }
}

async function newIdentity(path: string): Promise<string> {
  const facts = await stat(path);
  return identityOf({ path, sizeBytes: facts.size, modifiedMs: facts.mtimeMs });
}

/** Symbolic links out of the folder are not followed. Without an identity, the name is sufficient. */
async function compare({ identity }: InPlaceFile, path: string, root: string): Promise<'same' | 'other' | 'missing'> {
  if (!(await isFile(path))) return 'missing';
  const real = await realpath(path);
  if (real !== path && !real.startsWith(root + sep)) return 'missing';
  if (identity === null) return 'same';
  return hashInIdentity(identity) === hashInIdentity(await newIdentity(path)) ? 'same' : 'other';
}

/** Reads only files whose size matches a missing one. */
async function findByContent(lost: readonly InPlaceFile[], root: string, run: Run): Promise<[InPlaceFile, string][]> {
  const known = lost.flatMap((one) => (one.identity === null ? [] : [{ one, hash: hashInIdentity(one.identity) }]));
  if (known.length === 0) return [];
  const sizes = new Set(known.map(({ one }) => Number(one.identity?.split('-')[0])));
  const found = new Map<string, string>();
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    run.checkCancelled();
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const facts = await lstat(path).catch(() => null);
    if (facts && sizes.has(facts.size)) found.set(hashInIdentity(await newIdentity(path)), path);
  }
  return known.flatMap(({ one, hash }): [InPlaceFile, string][] => {
    const path = found.get(hash);
    return path === undefined ? [] : [[one, path]];
  });
}
