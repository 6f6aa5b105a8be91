import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lookAtLock, type LockState } from '../../platform/instance-lock.ts';
import { networkFileSystem } from '../../platform/file-systems.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import { reserveBytes } from '../../platform/reserve.ts';
import { defaultPort } from '../instance.ts';
import { bad, codeOf, counted, good, megabytes, reasonOf, someOf, type Finding } from './finding.ts';
import { createServer } from 'node:net';

const elsewhere = 'or choose another data directory with --data-dir';

export function checkDirectory(paths: DataDirectory): Finding[] {
  const area = 'data directory';
  const found = statSync(paths.root, { throwIfNoEntry: false });
  if (!found) {
    return [
      bad(area, 'note', `The data directory ${paths.root} does not exist yet.`, 'Run limner serve to create it.'),
    ];
  }
  if (!found.isDirectory()) {
    return [bad(area, 'fault', `${paths.root} is not a folder.`, `Move the file, ${elsewhere}.`)];
  }
  const folders = [paths.db, paths.data, paths.keys, paths.logs, paths.events].filter((folder) => existsSync(folder));
  const files = folders.filter((folder) => !statSync(folder).isDirectory());
  const closed = [paths.root, ...folders].flatMap((folder) => {
    try {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      return [];
    } catch (error) {
      return [{ folder, isReadOnly: codeOf(error) === 'EROFS' }];
    }
  });
  const blocked = files.map((file) =>
    bad(area, 'fault', `${file} is a file, but must be a folder.`, `Move it, ${elsewhere}.`),
  );
  if (closed.some(({ isReadOnly }) => isReadOnly)) {
    return [
      ...blocked,
      bad(
        area,
        'fault',
        `The data directory ${paths.root} is on a read-only file system.`,
        `Mount it as writable, ${elsewhere}. If the system made the disk read-only, check it for errors first.`,
      ),
    ];
  }
  const refused = closed.map(({ folder }) =>
    bad(
      area,
      'fault',
      `This user cannot read and write ${folder}.`,
      `Grant this user access (chown, chmod u+rwX), ${elsewhere}.`,
    ),
  );
  const problems = [...blocked, ...refused];
  return problems.length > 0 ? problems : [good(area, `${paths.root} is readable and writable.`)];
}

const scarceBytes = 1e9;

export function checkDisk({ root }: DataDirectory): Finding[] {
  const area = 'disk';
  let folder = root;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const network = networkFileSystem(folder);
  const suggestion = 'Free some space, or move the data directory to a larger disk and give it with --data-dir.';
  const space = `The disk of ${root}`;
  return [
    free < 2 * reserveBytes
      ? bad(area, 'fault', `${space} is full: ${megabytes(free)} free. New data cannot be saved.`, suggestion)
      : free < scarceBytes
        ? bad(area, 'warning', `${space} is nearly full: ${megabytes(free)} free.`, suggestion)
        : good(area, `${megabytes(free)} are free.`),
    ...(network === null
      ? []
      : [
          bad(
            area,
            'warning',
            `${root} is on a network file system (${network}), where database locks are not reliable.`,
            'Move the data directory to a disk of this computer. Images may stay where they are and be used in place.',
          ),
        ]),
  ];
}

export function checkLock(paths: DataDirectory, lock: LockState): Finding[] {
  const area = 'instance';
  switch (lock.state) {
    case 'free':
      return [good(area, 'Limner is not running on this data directory.')];
    case 'held': {
      const { holder } = lock;
      const who = `process ${holder.pid} since ${holder.since}${holder.url === null ? '' : `, at ${holder.url}`}`;
      if (!lock.isElsewhere) return [good(area, `Limner runs: ${who}.`)];
      return [
        bad(
          area,
          'warning',
          `Limner is running on the computer ${holder.host}, or stopped there without removing its lock: ${who}.`,
          `Use or stop it there. If it is not running, delete ${paths.lockFile}.`,
        ),
      ];
    }
    case 'stale': {
      const { pid, since } = lock.holder;
      const message = `The lock is stale: process ${pid}, which created it at ${since}, ended without a clean stop.`;
      return [bad(area, 'note', message, 'No action needed: the next start replaces the lock and checks the store.')];
    }
    case 'unreadable':
      return [
        bad(
          area,
          'note',
          `${paths.lockFile} is not a valid lock file: it was truncated or changed.`,
          'No action needed: the next start replaces it.',
        ),
      ];
  }
}

export async function checkPort(lock: LockState): Promise<Finding[]> {
  const area = 'port';
  if (lock.state !== 'held') {
    const isFree = await isPortFree(defaultPort);
    if (isFree) return [good(area, `Port ${defaultPort} is free.`)];
    const message = `Port ${defaultPort} is in use by another program, so Limner starts on a free one.`;
    return [bad(area, 'note', message, 'For a fixed address choose another port: limner serve --port NUMBER.')];
  }
  const { url } = lock.holder;
  if (lock.isElsewhere) return [];
  if (url === null) return [bad(area, 'note', 'Limner is still starting.', 'Try again in a moment.')];
  try {
    const answer = await fetch(new URL('/api/server/about', url), { signal: AbortSignal.timeout(10_000) });
    await answer.body?.cancel();
    return [good(area, `${url} answers.`)];
  } catch (error) {
    const suggestion = `Stop process ${lock.holder.pid} and start Limner again. Saved data is not affected.`;
    return [bad(area, 'fault', `Limner is running, but ${url} does not respond (${reasonOf(error)}).`, suggestion)];
  }
}

export function checkSettings({ root }: DataDirectory): Finding[] {
  const area = 'settings';
  const file = join(root, 'settings.json');
  if (!existsSync(file)) return [good(area, 'No settings file: the defaults apply.')];
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return [good(area, `${file} is valid.`)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const suggestion = `Correct or delete the file. The next change of a setting renames it to ${file}.unreadable.`;
  return [bad(area, 'warning', `${file} is ignored because it is not a JSON object.`, suggestion)];
}

const keyBytes = 32;

/** Checks that only the owner can read the keys that decrypt secrets. */
export function checkKeys(paths: DataDirectory): Finding[] {
  const area = 'keys';
  const names = existsSync(paths.keys) ? readdirSync(paths.keys) : [];
  const files = names.map((name) => join(paths.keys, name)).filter((file) => lstatSync(file).isFile());
  const short = files.filter((file) => file.endsWith('.key') && statSync(file).size !== keyBytes);
  const open = process.platform === 'win32' ? [] : files.filter((file) => (statSync(file).mode & 0o077) !== 0);
  const problems = [
    ...open.map((file) =>
      bad(
        area,
        'fault',
        `Other users of this computer can read or change ${file} (mode ${(statSync(file).mode & 0o777).toString(8)}).`,
        `Run: chmod 600 "${file}". If others may have read it, replace the secrets of webhooks and functions.`,
      ),
    ),
    ...short.map((file) =>
      bad(
        area,
        'fault',
        `${file} is damaged: a key must have ${keyBytes} bytes.`,
        'Restore it from a backup of the data directory. Without one, delete it and enter the secrets again.',
      ),
    ),
  ];
  if (problems.length > 0) return problems;
  return [
    good(
      area,
      files.length === 0 ? 'There are no keys yet.' : `${counted(files.length, 'file')}, accessible only by the owner.`,
    ),
  ];
}

export function checkLog({ logs }: DataDirectory): Finding[] {
  const area = 'log';
  const file = join(logs, 'limner.log');
  if (!existsSync(file)) return [good(area, 'There is no log yet.')];
  const errors = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  const messages = errors.flatMap((line) => /"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? []);
  if (errors.length === 0) return [good(area, `${file} contains no errors.`)];
  const message = `${file} tells of ${counted(errors.length, 'error')}: ${someOf([...new Set(messages)])}.`;
  return [bad(area, 'note', message, 'The log contains the times and reasons. The data is not affected.')];
}

export const readLock = (paths: DataDirectory): LockState =>
  statSync(paths.root, { throwIfNoEntry: false })?.isDirectory() ? lookAtLock(paths.lockFile) : { state: 'free' };

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}
