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
    return [bad(area, 'note', `There is no data directory at ${paths.root} yet.`, 'limner serve makes it.')];
  }
  if (!found.isDirectory()) {
    return [bad(area, 'fault', `${paths.root} is not a folder.`, `Move the file away, ${elsewhere}.`)];
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
    bad(area, 'fault', `A file stands at ${file}, where a folder should be.`, `Move it away, ${elsewhere}.`),
  );
  if (closed.some(({ isReadOnly }) => isReadOnly)) {
    return [
      ...blocked,
      bad(
        area,
        'fault',
        `The data directory ${paths.root} lies on a file system that is read-only.`,
        `Mount it so that it can be written (a disk that became read-only by itself has errors: look at it first), ${elsewhere}.`,
      ),
    ];
  }
  const refused = closed.map(({ folder }) =>
    bad(
      area,
      'fault',
      `This user may not read and write ${folder}.`,
      `Give it to this user (chown, chmod u+rwX), ${elsewhere}.`,
    ),
  );
  const problems = [...blocked, ...refused];
  return problems.length > 0 ? problems : [good(area, `${paths.root} can be read and written.`)];
}

const scarceBytes = 1e9;

export function checkDisk({ root }: DataDirectory): Finding[] {
  const area = 'disk';
  let folder = root;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const network = networkFileSystem(folder);
  const remedy = 'Free some space on it, or move the data directory to a larger disk and name it with --data-dir.';
  const space = `The disk that holds ${root}`;
  return [
    free < 2 * reserveBytes
      ? bad(area, 'fault', `${space} is full: ${megabytes(free)} are free, and nothing new can be saved.`, remedy)
      : free < scarceBytes
        ? bad(area, 'warning', `${space} is nearly full: ${megabytes(free)} are free.`, remedy)
        : good(area, `${megabytes(free)} are free.`),
    ...(network === null
      ? []
      : [
          bad(
            area,
            'warning',
            `${root} lies on a network file system (${network}), where the locks of a database cannot be relied on.`,
            'Keep the data directory on a disk of this computer; images may stay where they are and be used in place.',
          ),
        ]),
  ];
}

export function checkLock(paths: DataDirectory, lock: LockState): Finding[] {
  const area = 'instance';
  switch (lock.state) {
    case 'free':
      return [good(area, 'Limner does not run on this data directory.')];
    case 'held': {
      const { holder } = lock;
      const who = `process ${holder.pid} since ${holder.since}${holder.url === null ? '' : `, at ${holder.url}`}`;
      if (!lock.isElsewhere) return [good(area, `Limner runs: ${who}.`)];
      return [
        bad(
          area,
          'warning',
          `Limner runs on the computer ${holder.host}, or ended there without taking its lock away: ${who}.`,
          `Use it there, or stop it. If it no longer runs, delete ${paths.lockFile}.`,
        ),
      ];
    }
    case 'stale': {
      const { pid, since } = lock.holder;
      const what = `The lock is stale: process ${pid}, which took it at ${since}, has ended without a stop.`;
      return [bad(area, 'note', what, 'Nothing needs to be done: the next start takes it over and checks the store.')];
    }
    case 'unreadable':
      return [
        bad(
          area,
          'note',
          `${paths.lockFile} is no lock of Limner: it is cut off or was changed.`,
          'Nothing needs to be done: the next start replaces it.',
        ),
      ];
  }
}

export async function checkPort(lock: LockState): Promise<Finding[]> {
  const area = 'port';
  if (lock.state !== 'held') {
    const isFree = await isPortFree(defaultPort);
    if (isFree) return [good(area, `Port ${defaultPort} is free.`)];
    const what = `Port ${defaultPort} is taken by another program; Limner starts on a free one.`;
    return [bad(area, 'note', what, 'To have the same address every time, choose a port: limner serve --port NUMBER.')];
  }
  const { url } = lock.holder;
  if (lock.isElsewhere) return [];
  if (url === null) return [bad(area, 'note', 'Limner is just starting.', 'Ask again in a moment.')];
  try {
    const answer = await fetch(new URL('/api/server/about', url), { signal: AbortSignal.timeout(10_000) });
    await answer.body?.cancel();
    return [good(area, `${url} answers.`)];
  } catch (error) {
    const remedy = `Stop process ${lock.holder.pid} and start Limner again; what was saved is kept.`;
    return [bad(area, 'fault', `Limner runs, but ${url} does not answer (${reasonOf(error)}).`, remedy)];
  }
}

export function checkSettings({ root }: DataDirectory): Finding[] {
  const area = 'settings';
  const file = join(root, 'settings.json');
  if (!existsSync(file)) return [good(area, 'There are none: everything is as it comes.')];
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return [good(area, `${file} can be read.`)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const remedy = `Correct it, or move it away. It is kept as ${file}.unreadable when a setting is changed.`;
  return [bad(area, 'warning', `${file} is broken: it is no JSON object, and counts as empty.`, remedy)];
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
        `${file} can be read or changed by other users of this computer (mode ${(statSync(file).mode & 0o777).toString(8)}).`,
        `Run: chmod 600 "${file}". If others may have read it, enter the secrets of webhooks and functions anew.`,
      ),
    ),
    ...short.map((file) =>
      bad(
        area,
        'fault',
        `${file} is damaged: a key has ${keyBytes} bytes.`,
        'Put it back from a backup of the data directory; without it, delete it and enter the secrets again.',
      ),
    ),
  ];
  if (problems.length > 0) return problems;
  return [
    good(area, files.length === 0 ? 'There are none yet.' : `${counted(files.length, 'file')}, for the owner only.`),
  ];
}

export function checkLog({ logs }: DataDirectory): Finding[] {
  const area = 'log';
  const file = join(logs, 'limner.log');
  if (!existsSync(file)) return [good(area, 'There is none yet.')];
  const errors = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  const messages = errors.flatMap((line) => /"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? []);
  if (errors.length === 0) return [good(area, `${file} tells of no errors.`)];
  const what = `${file} tells of ${counted(errors.length, 'error')}: ${someOf([...new Set(messages)])}.`;
  return [bad(area, 'note', what, 'Its lines tell when, and of what. Nothing that stands here is lost by that.')];
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
