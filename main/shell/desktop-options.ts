import { createHash } from 'node:crypto';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface DesktopOptions {
  /** `null`: the platform's default. */
  readonly dataDirectory: string | null;
  readonly port: number | null;
  readonly dashboardPort: number | null;
  readonly password: string | null;
  /** A backup of the whole workbench that the program was opened with. */
  readonly openPath: string | null;
}

/** Extension of backups of the whole workbench, which the installers associate with the program. */
const backupExtension = '.limner';

/**
 * Options on the command line of the desktop shell. Unknown ones are let through: Chromium and Electron read theirs
 * from the same line.
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
    },
  });
  const dataDirectory = text(values['data-dir']);
  const backup = positionals.find((path) => extname(path).toLowerCase() === backupExtension);
  return {
    dataDirectory: dataDirectory === null ? null : resolve(workingDirectory, dataDirectory),
    port: portNumber('--port', text(values['port'])),
    dashboardPort: portNumber('--dashboard-port', text(values['dashboard-port'])),
    password: text(values['password']),
    openPath: backup === undefined ? null : resolve(workingDirectory, backup),
  };
}

function text(value: string | boolean | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function portNumber(option: string, value: string | null): number | null {
  if (value === null) return null;
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new RangeError(`${option} takes a whole number from 0 to 65535, not "${value}".`);
  }
  return port;
}

/**
 * The window's own files (Chromium's profile, where the window stood), a folder for each data directory: two
 * workbenches may be open side by side, each of them once, and neither sees what the other's page keeps.
 */
export function profileOf(userData: string, dataDirectory: string | null): string {
  if (dataDirectory === null) return userData;
  const name = createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 16);
  return join(userData, 'workbenches', name);
}
