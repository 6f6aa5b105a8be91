import { readFileSync, renameSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFileSync } from './durable-files.ts';

const rectangleSchema = z.object({ x: z.int(), y: z.int(), width: z.int().min(200), height: z.int().min(200) });

/** Settings of the program on this computer. What belongs to the data stands in the data directory instead. */
export const settingsSchema = z.object({
  /** Place of the desktop window, in device-independent pixels. */
  windowBounds: rectangleSchema.nullable().catch(null).default(null),
  windowMaximized: z.boolean().catch(false).default(false),
  /** Of menus and dialogs, as the page has it; `null`: the system's. */
  language: z.string().max(35).nullable().catch(null).default(null),
  /** Files and folders opened from the desktop shell, the latest first. */
  recentPaths: z.array(z.string().max(4096)).max(8).catch([]).default([]),
  /** The program ffmpeg, or the folder that it and ffprobe are in; `null`: those on the PATH. */
  ffmpegPath: z.string().nullable().catch(null).default(null),
  /** A folder with format plug-ins beside the `formats` folder of the data directory. */
  formatsFolder: z.string().nullable().catch(null).default(null),
  /** Address of the Docker Engine, as DOCKER_HOST takes it, or the path of its socket; `null`: the one that `docker` uses. */
  dockerHost: z.string().nullable().catch(null).default(null),
  /** Whether the function dashboard deploys images with a server of their own, which only a network reaches. */
  dashboardOwnServers: z.boolean().catch(false).default(false),
  /** The most that a model function may have of this computer; `null`: what there is. */
  functionCpuCores: z.number().positive().nullable().catch(null).default(null),
  functionMemoryMib: z.int().positive().nullable().catch(null).default(null),
  /** The most that all functions together may hold of each graphics card. */
  functionCardMib: z.int().positive().nullable().catch(null).default(null),
});
export type SettingsValues = z.output<typeof settingsSchema>;

/** One shape, two stores: electron-store in the desktop shell, a JSON file elsewhere. */
export interface Settings {
  get<Key extends keyof SettingsValues>(key: Key): SettingsValues[Key];
  set<Key extends keyof SettingsValues>(key: Key, value: SettingsValues[Key]): void;
  all(): SettingsValues;
}

/** Values that do not fit fall back to their default one by one; a file that is no JSON counts as empty. */
export function parseSettings(value: unknown): SettingsValues {
  return settingsSchema.safeParse(value).data ?? settingsSchema.parse({});
}

/**
 * Settings in a JSON file. Each change replaces the whole file at once, so a crash leaves the old or the new one.
 * A file that cannot be read is kept beside as `<file>.unreadable` before the first change replaces it.
 */
export function createFileSettings(file: string): Settings {
  let { values, unreadable } = readSettings(file);
  return {
    get: (key) => values[key],
    all: () => ({ ...values }),
    set(key, value) {
      const next = settingsSchema.parse({ ...values, [key]: value });
      if (unreadable) renameSync(file, `${file}.unreadable`);
      unreadable = false;
      replaceFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
      values = next;
    },
  };
}

const workbenchFile = (root: string): string => join(root, 'settings.json');

/** Settings that every thread and command on a data directory reads. */
export const openWorkbenchSettings = (root: string): Settings => createFileSettings(workbenchFile(root));

/** As {@link setAsideUnreadable}, of the settings of a data directory. */
export const setAsideBroken = (root: string): string | null => setAsideUnreadable(workbenchFile(root));

/** At a start: moves a file that cannot be read out of the way. Answers what to tell the person, where that was so. */
export function setAsideUnreadable(file: string): string | null {
  if (!readSettings(file).unreadable) return null;
  renameSync(file, `${file}.unreadable`);
  return `The settings in ${file} could not be read, so everything is as it comes. The file is kept as ${file}.unreadable; correct it and put it back, or set the settings anew.`;
}

/** Folders in which ffmpeg and ffprobe are looked for: first where the settings say, then those of the PATH. */
export const videoSearchPath = (root: string): string => searchPathOf(openWorkbenchSettings(root).get('ffmpegPath'));

/** @param ffmpegPath the program, or the folder that it is in */
function searchPathOf(ffmpegPath: string | null): string {
  const path = process.env['PATH'] ?? '';
  if (ffmpegPath === null) return path;
  const isFolder = statSync(ffmpegPath, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const folder = isFolder ? ffmpegPath : dirname(ffmpegPath);
  return path === '' ? folder : `${folder}${delimiter}${path}`;
}

function readSettings(file: string): { values: SettingsValues; unreadable: boolean } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { values: parseSettings({}), unreadable: false };
  }
  try {
    return { values: parseSettings(JSON.parse(text)), unreadable: false };
  } catch {
    return { values: parseSettings({}), unreadable: true };
  }
}
