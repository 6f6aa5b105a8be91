import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { makeFolderSync, replaceFileSync, syncFolderSync } from './durable-files.ts';
import { AppError } from './errors.ts';

/** The volumes of a data directory, by folder name. Each of them may be moved to another location. */
export const volumeNames = ['db', 'data', 'keys', 'logs', 'events'] as const;
export type VolumeName = (typeof volumeNames)[number];

const moveOutcomeSchema = z.object({
  volume: z.enum(volumeNames),
  folder: z.string(),
  date: z.string(),
  succeeded: z.boolean(),
  message: z.string(),
});
export type MoveOutcome = z.infer<typeof moveOutcomeSchema>;

const awaySchema = z.object({
  /** Parent of the volume's folder, relative to the data directory, with `/`, so that both may be moved together. */
  home: z.string(),
  /** The same as an absolute path, for a data directory that was moved alone. */
  absolute: z.string(),
  /** Also in the marker file beside the volume, so that an empty mount point of a missing disk is not accepted. */
  id: z.string(),
});

const volumesSchema = z.object({
  away: z.partialRecord(z.enum(volumeNames), awaySchema).default({}),
  /** A copy in progress: unless it was completed, the next start removes it. */
  arriving: z
    .object({ volume: z.enum(volumeNames), home: z.string() })
    .nullable()
    .default(null),
  /** The old location of a moved volume, kept until a start with the new one succeeded. */
  left: z
    .object({ volume: z.enum(volumeNames), home: z.string(), aside: z.string().regex(/^set-aside\/[\w:-]+$/) })
    .nullable()
    .default(null),
  last: moveOutcomeSchema.nullable().default(null),
});
export type VolumeFacts = z.infer<typeof volumesSchema>;

const isVolume = (name: string): name is VolumeName => (volumeNames as readonly string[]).includes(name);
const factsFile = (root: string): string => join(root, 'volumes.json');

/** @throws AppError for an unreadable file, because guessing could mean starting without any data */
export function readVolumes(root: string): VolumeFacts {
  const file = factsFile(root);
  try {
    return volumesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return volumesSchema.parse({});
    throw new AppError(
      'unavailable',
      `Cannot read ${file}, which records where the volumes of this data directory are. Nothing was changed. Restore it ` +
        'from a copy, or delete it if no volume was ever moved.',
      undefined,
      { cause: error },
    );
  }
}

export function changeVolumes(root: string, change: Partial<VolumeFacts>): void {
  replaceFileSync(factsFile(root), `${JSON.stringify({ ...readVolumes(root), ...change }, null, 2)}\n`);
}

/** The folder that contains a part of the data directory: the data directory itself, unless the part was moved. */
export function homeOf(root: string, part: string): string {
  const away = isVolume(part) ? readVolumes(root).away[part] : undefined;
  return away === undefined ? root : placeOf(root, isVolume(part) ? part : 'data', away);
}

/** The data directory and every other folder with a volume of it. */
export const homesOf = (root: string): string[] => [
  ...new Set([root, ...volumeNames.map((volume) => homeOf(root, volume))]),
];

/** The relative location, unless only the absolute one has the volume. */
function placeOf(root: string, volume: VolumeName, { home, absolute, id }: z.infer<typeof awaySchema>): string {
  const near = resolve(root, home);
  return readMark(near, volume) !== id && readMark(absolute, volume) === id ? absolute : near;
}

export function describeHome(root: string, home: string, id: string): z.infer<typeof awaySchema> {
  const path = relative(root, home);
  return { home: isAbsolute(path) ? path : path.split(sep).join('/'), absolute: home, id };
}

const markFile = (home: string, volume: VolumeName): string => join(home, `limner-volume-${volume}.json`);
const markSchema = z.object({ volume: z.enum(volumeNames), id: z.string() });

/** The id of the volume in a folder; null if it has none. */
export function readMark(home: string, volume: VolumeName): string | null {
  try {
    return markSchema.parse(JSON.parse(readFileSync(markFile(home, volume), 'utf8'))).id;
  } catch {
    return null;
  }
}

export function writeMark(home: string, volume: VolumeName, id: string): void {
  replaceFileSync(markFile(home, volume), `${JSON.stringify({ volume, id }, null, 2)}\n`);
}

/** Location of the copy of a volume, on the destination disk. */
export const arrivingFolder = (home: string, volume: VolumeName): string => join(home, 'arriving', volume);

export type VolumeProblem = 'missing' | 'unmarked' | 'foreign';

/** Returns the reason why a moved volume cannot be used; null if it is present. */
export function volumeProblem(root: string, volume: VolumeName): VolumeProblem | null {
  const facts = readVolumes(root);
  const away = facts.away[volume];
  if (away === undefined) return null;
  const home = placeOf(root, volume, away);
  const mark = readMark(home, volume);
  const isThere = existsSync(join(home, volume)) || existsSync(arrivingFolder(home, volume));
  if (mark === null) return isThere ? 'unmarked' : 'missing';
  if (mark !== away.id) return 'foreign';
  return isThere ? null : 'missing';
}

export function volumeSentence(root: string, volume: VolumeName, problem: VolumeProblem): string {
  const folder = join(homeOf(root, volume), volume);
  const reasons = {
    missing: 'and is missing: its disk may not be plugged in or mounted',
    unmarked: 'and the folder there is not marked as this volume',
    foreign: 'and the folder there is the volume of another workbench',
  };
  return `The volume "${volume}" of ${root} was moved to ${folder}, ${reasons[problem]}.`;
}

const kinds: Readonly<Record<VolumeName, string>> = {
  db: 'database',
  data: 'media',
  keys: 'keys',
  logs: 'logs',
  events: 'events',
};

export const volumeRemedy = (volume: VolumeName): string =>
  `Move it back to this place, or set its new place: limner volume find ${kinds[volume]} FOLDER`;

/** @throws AppError `unavailable` for a volume that is not in its location; nothing is created in its place */
export function requireVolumes(root: string): void {
  for (const volume of volumeNames) {
    const problem = volumeProblem(root, volume);
    if (problem === null) continue;
    const sentence = volumeSentence(root, volume, problem);
    const message = `${sentence} Limner did not start, and nothing was changed. ${volumeRemedy(volume)}`;
    throw new AppError('unavailable', message);
  }
}

/**
 * Call at a start, with the lock, before any read. Completes a confirmed move, removes the copy of an unconfirmed one,
 * and links the data directory to moved volumes, which must be present.
 */
export async function placeVolumes(root: string): Promise<void> {
  const facts = readVolumes(root);
  if (facts.arriving) {
    const { volume, home } = facts.arriving;
    const isTaken = homeOf(root, volume) === home;
    if (!isTaken) await rm(arrivingFolder(home, volume), { recursive: true, force: true });
  }
  for (const volume of volumeNames) place(root, volume, facts);
  if (!facts.arriving) return;
  // Also after a crash between the rename of the volume and this.
  removeIfEmpty(join(facts.arriving.home, 'arriving'));
  changeVolumes(root, { arriving: null });
}

function place(root: string, volume: VolumeName, { left }: VolumeFacts): void {
  const home = homeOf(root, volume);
  if (left?.volume === volume && left.home !== home) {
    const kept = join(left.home, left.aside, volume);
    if (isFolder(join(left.home, volume)) && !existsSync(kept)) move(join(left.home, volume), kept);
  }
  const way = join(root, volume);
  if (home === root && isLink(way)) rmSync(way);
  const arrived = arrivingFolder(home, volume);
  if (existsSync(arrived) && (left?.volume === volume || home !== root)) {
    // The start creates missing parts as empty folders before this runs.
    if (existsSync(join(home, volume))) rmdirSync(join(home, volume));
    move(arrived, join(home, volume));
  }
  if (home !== root) leadTo(root, volume, join(home, volume));
}

/** Creates a link, or on Windows a junction, which needs no rights, so that the volume's old path stays valid. */
function leadTo(root: string, volume: VolumeName, folder: string): void {
  const way = join(root, volume);
  if (isLink(way)) {
    if (resolve(root, readlinkSync(way)) === folder) return;
    rmSync(way);
  } else if (existsSync(way)) {
    if (readdirSync(way).length === 0) rmdirSync(way);
    else if (volume === 'logs') move(way, join(root, 'set-aside', momentName(), volume));
    else throw both(way, folder);
  }
  symlinkSync(folder, way, 'junction');
  syncFolderSync(root);
}

const both = (way: string, folder: string): AppError =>
  new AppError(
    'unavailable',
    `${way} and ${folder} both exist and contain files, so Limner cannot tell which of them is the volume. It ` +
      'did not start, and nothing was changed. Move the other one away.',
  );

/** Deletes the old location after a start with the new one. Returns its folder, or null. */
export async function removeLeft(root: string): Promise<string | null> {
  const { left } = readVolumes(root);
  if (left === null) return null;
  const { volume, home, aside } = left;
  if (homeOf(root, volume) === home) return null;
  await rm(join(home, aside), { recursive: true, force: true, maxRetries: 5 });
  rmSync(markFile(home, volume), { force: true });
  removeIfEmpty(join(home, 'set-aside'));
  changeVolumes(root, { left: null });
  return join(home, volume);
}

export const momentName = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');

export function freeMomentName(folder: string): string {
  const name = momentName();
  for (let attempt = 1; ; attempt += 1) {
    const one = attempt === 1 ? name : `${name}-${attempt}`;
    if (!existsSync(join(folder, one))) return one;
  }
}

function move(from: string, to: string): void {
  makeFolderSync(dirname(to));
  renameSync(from, to);
  syncFolderSync(dirname(to));
  syncFolderSync(dirname(from));
}

function removeIfEmpty(folder: string): void {
  if (isFolder(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
