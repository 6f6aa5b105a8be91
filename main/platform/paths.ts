import { accessSync, chmodSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolderSync, syncFolderSync } from './durable-files.ts';
import { AppError } from './errors.ts';
import { readVolumes } from './volumes.ts';

/** All data of the program is below one folder, so that a copy of it is a full backup. */
export interface DataDirectory {
  readonly root: string;
  readonly db: string;
  readonly data: string;
  readonly keys: string;
  readonly logs: string;
  /** Analytics events; exists only while analytics is enabled. */
  readonly events: string;
  readonly lockFile: string;
}

export interface PlatformEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const hostEnvironment = (): PlatformEnvironment => ({
  platform: process.platform,
  env: process.env,
  home: homedir(),
});

/** The platform's folder for application data: XDG on Linux, Application Support on macOS, AppData on Windows. */
export function defaultDataDirectory(host: PlatformEnvironment = hostEnvironment()): string {
  if (host.env['LIMNER_DATA_DIR']) return resolve(host.env['LIMNER_DATA_DIR']);
  if (host.platform === 'win32') {
    return join(host.env['LOCALAPPDATA'] || join(host.home, 'AppData', 'Local'), 'Limner');
  }
  if (host.platform === 'darwin') return join(host.home, 'Library', 'Application Support', 'Limner');
  const xdg = host.env['XDG_DATA_HOME'];
  // The XDG Base Directory Specification requires relative paths to be ignored.
  return join(xdg?.startsWith('/') ? xdg : join(host.home, '.local', 'share'), 'limner');
}

export function dataDirectoryPaths(root: string): DataDirectory {
  const absolute = resolve(root);
  return {
    root: absolute,
    db: join(absolute, 'db'),
    data: join(absolute, 'data'),
    keys: join(absolute, 'keys'),
    logs: join(absolute, 'logs'),
    events: join(absolute, 'events'),
    lockFile: join(absolute, 'limner.lock'),
  };
}

/**
 * Creates the data directory and its subfolders, readable by their owner only (0700).
 * @throws AppError `invalid` with a sentence for the user if the folder cannot be created or written.
 */
export function prepareDataDirectory(root: string): DataDirectory {
  const paths = dataDirectoryPaths(root);
  try {
    makeFolderSync(paths.root);
    const { away } = readVolumes(paths.root);
    for (const volume of ['db', 'data', 'keys', 'logs'] as const) {
      // A moved volume is found when the data directory is locked: it must not be created here.
      if (away[volume] !== undefined) continue;
      const folder = paths[volume];
      makeFolderSync(folder);
      if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    }
    accessSync(paths.root, constants.W_OK);
    // Also syncs folders of an earlier start that ended before its sync.
    syncFolderSync(paths.root);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid', dataDirectoryProblem(paths.root, error), undefined, { cause: error });
  }
  return paths;
}

function dataDirectoryProblem(root: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `${root} is not a folder, or a file is in the place of one of its folders. Choose another data directory with --data-dir.`;
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `Cannot write to the data directory ${root}. Change its permissions, or choose another with --data-dir.`;
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk that holds ${root} is full. Free some space, or choose another data directory with --data-dir.`;
  }
  if (code === 'ENOENT') {
    return `Cannot create the data directory ${root}: the file system does not allow folders there. Choose another with --data-dir.`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `Cannot use the data directory ${root} (${reason}). Choose another with --data-dir.`;
}
