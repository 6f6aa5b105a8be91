import { readFileSync, renameSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFileSync } from './durable-files.ts';

const rectangleSchema = z.object({ x: z.int(), y: z.int(), width: z.int().min(200), height: z.int().min(200) });

/** Settings of the program on this computer. Settings that belong to the data are in the data directory. */
export const settingsSchema = z.object({
  /** Bounds of the desktop window, in device-independent pixels. */
  windowBounds: rectangleSchema.nullable().catch(null).default(null),
  windowMaximized: z.boolean().catch(false).default(false),
  /** Colors of the desktop window before its page loads, and of native dialogs, same as the page. */
  colorScheme: z.enum(['system', 'light', 'dark']).catch('system').default('system'),
  /** Language of menus and dialogs, same as the page; `null`: the system's. */
  language: z.string().max(35).nullable().catch(null).default(null),
  /** Files and folders opened from the desktop shell, latest first. */
  recentPaths: z.array(z.string().max(4096)).max(8).catch([]).default([]),
  /** Path of ffmpeg, or the folder of ffmpeg and ffprobe; `null`: those on the PATH. */
  ffmpegPath: z.string().nullable().catch(null).default(null),
  /** A folder with format plug-ins in addition to the `formats` folder of the data directory. */
  formatsFolder: z.string().nullable().catch(null).default(null),
  /** Address that the check for updates asks; `null`: none. */
  updateAddress: z.string().nullable().catch(null).default(null),
  /**
   * Address of Docker Engine in the form of DOCKER_HOST, or the path of its socket; `null`: the one that `docker` uses.
   */
  dockerHost: z.string().nullable().catch(null).default(null),
  /**
   * True lets the function dashboard deploy images with their own server, which is reachable only through a network.
   */
  dashboardOwnServers: z.boolean().catch(false).default(false),
  /** Disk space for images of buckets, in GB (10^9 bytes). */
  bucketCacheGb: z.number().positive().max(100_000).catch(5).default(5),
  /** CPU cores that a model function may use; `null`: all. */
  functionCpuCores: z.number().positive().nullable().catch(null).default(null),
  functionMemoryMib: z.int().positive().nullable().catch(null).default(null),
  /** Memory in MiB of each GPU that all functions together may use. */
  functionCardMib: z.int().positive().nullable().catch(null).default(null),
});
export type SettingsValues = z.output<typeof settingsSchema>;

/** One interface, two stores: electron-store in the desktop shell, a JSON file elsewhere. */
export interface Settings {
  get<Key extends keyof SettingsValues>(key: Key): SettingsValues[Key];
  set<Key extends keyof SettingsValues>(key: Key, value: SettingsValues[Key]): void;
  all(): SettingsValues;
}

/** Invalid values are replaced by their defaults one by one; a file that is not JSON counts as empty. */
export function parseSettings(value: unknown): SettingsValues {
  return settingsSchema.safeParse(value).data ?? settingsSchema.parse({});
}

/**
 * Settings in a JSON file. Each change replaces the file atomically, so a crash leaves the old or the new one. An
 * unreadable file is saved as `<file>.unreadable` before the first change replaces it.
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

/** Like {@link quarantineUnreadable}, for the settings of a data directory. */
export const quarantineBroken = (root: string): string | null => quarantineUnreadable(workbenchFile(root));

/** Call at a start: renames an unreadable file. Returns a message for the user, or null. */
export function quarantineUnreadable(file: string): string | null {
  if (!readSettings(file).unreadable) return null;
  renameSync(file, `${file}.unreadable`);
  return `Cannot read the settings in ${file}, so the defaults are used. The file is saved as ${file}.unreadable; correct it and put it back, or set the settings again.`;
}

/** Folders to search for ffmpeg and ffprobe: first the setting, then the PATH. */
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
