import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { findDamage } from '../db/store/store-check.ts';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { networkFileSystem } from '../platform/file-systems.ts';
import {
  arrivingFolder,
  changeVolumes,
  describeHome,
  homeOf,
  momentName,
  placeVolumes,
  readMark,
  readVolumes,
  removeLeft,
  volumeNames,
  writeMark,
  type MoveOutcome,
  type VolumeName,
} from '../platform/volumes.ts';
import type { JobRun } from '../platform/worker-job.ts';
import { copyTree, measureTree, type CopiedFiles } from './copy-tree.ts';

export interface Move {
  readonly root: string;
  readonly volume: VolumeName;
  /** Absolute path of the volume's new parent folder. The data directory itself moves the volume back. */
  readonly home: string;
}

/** A move whose first pass is complete. */
export interface PreparedMove extends Move {
  readonly copied: CopiedFiles;
}

type Run = Pick<JobRun, 'progress' | 'checkCancelled'>;

/**
 * Small volumes, and those that are consistent only without writers. They are copied completely while the app is
 * stopped.
 */
const atRestOnly: readonly VolumeName[] = ['db', 'keys', 'logs', 'events'];

const kept = 'Nothing was changed.';
const refuse = (message: string): AppError => new AppError('invalid', `${message} ${kept}`);

/** @throws AppError if the folder cannot hold the volume */
export async function requireTarget({ root, volume, home }: Move): Promise<void> {
  if (!isAbsolute(home)) throw refuse('Enter the absolute path of the folder.');
  const { left } = readVolumes(root);
  if (left) await removeLeft(root);
  if (!existsSync(join(root, volume))) throw refuse(`There is no volume "${volume}", so there is nothing to move.`);
  if (home === homeOf(root, volume)) throw refuse(`The volume "${volume}" is already in ${home}.`);
  if (home === root) return;
  if (!statSync(home, { throwIfNoEntry: false })?.isDirectory())
    throw refuse(`The folder ${home} does not exist. Create it first.`);
  const real = realpathSync(home);
  const inside = [realpathSync(root), ...volumeNames.map((name) => folderOf(root, name))].find(
    (folder) => real === folder || real.startsWith(folder + sep),
  );
  if (inside !== undefined) throw refuse(`${home} is in ${inside}, which Limner uses itself. Choose another folder.`);
  const strange = readdirSync(home).filter((name) => !isOwn(root, home, name));
  if (strange.length > 0) {
    throw refuse(`${home} is not empty (${strange.slice(0, 3).join(', ')}). Choose an empty folder.`);
  }
  requireAbilities(root, home, volume);
  await requireRoom(join(root, volume), home);
}

const folderOf = (root: string, volume: VolumeName): string => resolve(homeOf(root, volume), volume);

/** True for files that belong to a volume or to volumes of this data directory in the same folder. */
function isOwn(root: string, home: string, name: string): boolean {
  if (['arriving', 'set-aside', 'snapshot', 'restore', 'limner.lock', 'lost+found'].includes(name)) return true;
  const { away } = readVolumes(root);
  return volumeNames.some((volume) => {
    const isHere = away[volume] !== undefined && homeOf(root, volume) === home;
    return name === `limner-volume-${volume}.json` || (isHere && name === volume);
  });
}

/** Checks that files can be created in the folder and that the data directory can link to it. */
function requireAbilities(root: string, home: string, volume: VolumeName): void {
  const network = networkFileSystem(home);
  if (volume === 'db' && network !== null) {
    throw refuse(`${home} is on a network file system (${network}), where database locks are not reliable.`);
  }
  const name = `.limner-${randomUUID()}`;
  try {
    writeFileSync(join(home, name), '', { flag: 'wx', mode: 0o600 });
    symlinkSync(home, join(root, name), 'junction');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(`${home} cannot hold a volume of this data directory (${reason}).`);
  } finally {
    for (const folder of [home, root])
      if (lstatSync(join(folder, name), { throwIfNoEntry: false })) rmSync(join(folder, name));
  }
}

async function requireRoom(from: string, home: string): Promise<void> {
  const { bavail, bsize } = await statfs(home);
  const { sizeBytes } = await measureTree(from);
  if (bavail * bsize > sizeBytes) return;
  const megabytes = (count: number): string => `${Math.ceil(count / 1e6)} MB`;
  throw new AppError(
    'storage-full',
    `The volume needs ${megabytes(sizeBytes)}, but only ${megabytes(bavail * bsize)} are free in ${home}. ${kept}`,
  );
}

/** First pass, while the app keeps running. */
export async function prepareMove(move: Move, run: Run): Promise<PreparedMove> {
  const { root, volume, home } = move;
  changeVolumes(root, { arriving: { volume, home } });
  const to = arrivingFolder(home, volume);
  await rm(to, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  if (atRestOnly.includes(volume)) return { ...move, copied: new Map() };
  try {
    const from = join(root, volume);
    return { ...move, copied: await copyTree({ from, to, known: new Map(), isBusy: true }, run) };
  } catch (error) {
    await callOff(move);
    throw inWords(move, error);
  }
}

export async function callOff({ root, volume, home }: Move): Promise<void> {
  await rm(arrivingFolder(home, volume), { recursive: true, force: true });
  changeVolumes(root, { arriving: null });
}

/**
 * Second pass, while the data directory is not in use: copies later changes, then switches the volume by changing one
 * file. A crash leaves either the old or the new place valid. Returns the volume's folder.
 */
export async function takeOver(move: PreparedMove, run: Run): Promise<string> {
  const { root, volume, home, copied } = move;
  const from = join(root, volume);
  const to = arrivingFolder(home, volume);
  try {
    await copyTree({ from, to, known: copied, isBusy: false }, run);
    const store = join(to, 'limner.sqlite');
    const [damage] = volume === 'db' && existsSync(store) ? findDamage({ file: store, depth: 'quick' }) : [];
    if (damage !== undefined)
      throw refuse(`The database is damaged (${damage}). Repair it first; limner doctor shows how.`);
  } catch (error) {
    await callOff(move);
    throw inWords(move, error);
  }
  const id = randomUUID();
  if (home !== root) writeMark(home, volume, id);
  const { [volume]: _, ...others } = readVolumes(root).away;
  const away = home === root ? others : { ...others, [volume]: describeHome(root, home, id) };
  const left = { volume, home: homeOf(root, volume), aside: `set-aside/${momentName()}` };
  changeVolumes(root, { away, left });
  await placeVolumes(root);
  return join(home, volume);
}

function inWords({ home }: Move, error: unknown): unknown {
  if (isStorageFull(error)) {
    const message = `The disk of ${home} is full: the volume stays where it is. Free some space there and try again.`;
    return new AppError('storage-full', message, undefined, { cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError('unavailable', `Cannot move the volume (${reason}). It stays where it is.`, undefined, {
    cause: error,
  });
}

export function noteMove({ root, volume, home }: Move, error: unknown): MoveOutcome {
  const folder = join(home, volume);
  const message =
    error === null
      ? `The volume is in ${folder} now. Every file was read back and compared; the old copy is deleted once Limner has started on the new one.`
      : error instanceof Error
        ? error.message
        : String(error);
  const last = { volume, folder, date: new Date().toISOString(), succeeded: error === null, message };
  changeVolumes(root, { last });
  return last;
}

/**
 * Sets the place of a volume that was mounted elsewhere or moved manually, without copying anything.
 * @throws AppError if the folder does not contain this volume
 */
export async function findVolume({ root, volume, home }: Move): Promise<string> {
  const { away } = readVolumes(root);
  const known = away[volume];
  if (known === undefined) throw refuse(`The volume "${volume}" was never moved: it is in ${join(root, volume)}.`);
  if (readMark(home, volume) !== known.id || !(await stat(join(home, volume)).catch(() => null))?.isDirectory()) {
    throw refuse(
      `${home} does not contain the volume "${volume}" of this data directory. Choose the folder that contains "${volume}" and ` +
        `limner-volume-${volume}.json.`,
    );
  }
  changeVolumes(root, { away: { ...away, [volume]: describeHome(root, home, known.id) } });
  await placeVolumes(root);
  return join(home, volume);
}
