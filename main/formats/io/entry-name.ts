import { AppError } from '../../platform/errors.ts';

/** Longer than any dataset needs; limits the memory that a hostile list of names can use. */
const maxNameLength = 1024;
const maxSegments = 32;
const maxFolders = 200_000;
const reservedOnWindows = /^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(\..*)?$/i;

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'it has an empty folder name';
  if (segment === '.') return 'it has a folder "."';
  return segment === '..' ? 'it leads out of its folder with ".."' : undefined;
}

/** Reason why a path must not be written into an archive, or undefined. The path has no trailing slash. */
export function entryNameProblem(path: string): string | undefined {
  // Programs on Windows unpack archives under these names.
  if (path.split('/').some((segment) => reservedOnWindows.test(segment)))
    return 'Windows reserves that name for a device';
  return readNameProblem(path);
}

/** Reason why a path in an archive is rejected, or undefined. Nothing is written to disk under these names. */
function readNameProblem(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.length > maxNameLength) return 'it is too long';
  if (path.startsWith('/')) return 'it is an absolute path';
  if (/^[A-Za-z]:/.test(path)) return 'it names a drive';
  if (path.includes('\\')) return 'it has a backslash';
  // oxlint-disable-next-line no-control-regex -- control characters, and the range of ASCII, are what is asked for
  if (/[\u0000-\u001F\u007F]/.test(path)) return 'it has a control character';
  const segments = path.split('/');
  if (segments.length > maxSegments) return 'its folders are nested too deep';
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Removes path parts without meaning: `./` in front (tar, Java) and double slashes. */
function plainPath(path: string): string {
  if (!/(?:^|\/)\.?(?:\/|$)/.test(path)) return path;
  const plain = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `${path.startsWith('/') ? '/' : ''}${plain.join('/')}`;
}

/**
 * Names with the same key are duplicates. Case matters: nothing is written to disk under these names, and datasets from
 * case-sensitive systems have both `Train.txt` and `train.txt`.
 */
function collisionKey(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters, and the range of ASCII, are what is asked for
  return /^[\u0000-\u007F]*$/.test(path) ? path : path.normalize('NFC');
}

export interface NameChecker {
  readonly file: (path: string) => string;
  readonly folder: (path: string) => void;
}

/**
 * Checks the names of an archive while they are listed: each name, and collisions (a duplicate, or a file and a folder
 * with the same name). Throws `AppError('invalid')`.
 */
export function createNameChecker(archive: string): NameChecker {
  const seen = new Map<string, 'file' | 'folder'>();
  let folders = 0;
  const refuse = (path: string, problem: string): never => {
    throw new AppError(
      'invalid',
      `Cannot open ${archive}: the name ${JSON.stringify(path.slice(0, 200))} in it is not safe, ${problem}.`,
    );
  };
  const checkName = (path: string): void => {
    const problem = readNameProblem(path);
    if (problem !== undefined) refuse(path, problem);
  };
  const claimFolders = (path: string): void => {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const key = collisionKey(path.slice(0, slash));
      const kind = seen.get(key);
      if (kind === 'folder') return;
      if (kind === 'file') refuse(path, 'a file and a folder have the same name');
      seen.set(key, 'folder');
      folders += 1;
      if (folders > maxFolders)
        throw new AppError('invalid', `Cannot open ${archive}: it has more than ${maxFolders} folders.`);
    }
  };
  return {
    file(stated) {
      const path = plainPath(stated);
      checkName(path);
      const key = collisionKey(path);
      if (seen.has(key)) refuse(path, 'another entry has the same name');
      seen.set(key, 'file');
      claimFolders(path);
      return path;
    },
    folder(stated) {
      const path = plainPath(stated);
      if (path === '') return;
      checkName(path);
      claimFolders(`${path}/`);
    },
  };
}
