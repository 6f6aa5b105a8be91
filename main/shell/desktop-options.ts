import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface DesktopOptions {
  /** `null`: the platform's default. */
  readonly dataDirectory: string | null;
  readonly port: number | null;
  readonly dashboardPort: number | null;
  readonly password: string | null;
  /** Images or a backup that the window opens. */
  readonly openPath: string | null;
  /** Tries the program in a temporary data directory and ends. */
  readonly selfTest: boolean;
}

/** Extension of workbench backups, which the installers associate with the program. */
const backupExtension = '.limner';

/**
 * Reads the command-line options of the desktop shell. Ignores unknown ones because Chromium and Electron read theirs
 * from the same command line.
 */
export function parseDesktopOptions(args: readonly string[], workingDirectory: string): DesktopOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string' },
      'dashboard-port': { type: 'string' },
      password: { type: 'string' },
      'self-test': { type: 'boolean' },
    },
  });
  const dataDirectory = text(values['data-dir']);
  // Values of switches of Chromium are among the positionals, too.
  const opened = positionals
    .map((path) => resolve(workingDirectory, path))
    .find((path) => extname(path).toLowerCase() === backupExtension || existsSync(path));
  return {
    dataDirectory: dataDirectory === null ? null : resolve(workingDirectory, dataDirectory),
    port: portNumber('--port', text(values['port'])),
    dashboardPort: portNumber('--dashboard-port', text(values['dashboard-port'])),
    password: text(values['password']),
    openPath: opened ?? null,
    selfTest: values['self-test'] === true,
  };
}

function text(value: string | boolean | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function portNumber(option: string, value: string | null): number | null {
  if (value === null) return null;
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new RangeError(`${option} must be a whole number from 0 to 65535, not "${value}".`);
  }
  return port;
}

/**
 * Returns the folder for the window's own files (Chromium's profile, the window's position), one for each data
 * directory. Two workbenches can be open side by side without sharing browser storage, but each only once.
 */
export function profileOf(userData: string, dataDirectory: string | null): string {
  if (dataDirectory === null) return userData;
  const name = createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 16);
  return join(userData, 'workbenches', name);
}

/**
 * Returns the folder `limner-data` beside the packed program, or `null` if there is none. With it, Limner is portable:
 * data and window settings are in that folder.
 */
export function portableFolder(executable: string, env: NodeJS.ProcessEnv): string | null {
  // An AppImage runs from a temporary mount.
  const folder = join(dirname(env['APPIMAGE'] ?? executable), 'limner-data');
  return existsSync(folder) ? folder : null;
}
