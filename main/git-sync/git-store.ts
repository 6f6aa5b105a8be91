import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitCommit } from '../../preload/contract/schema/git.ts';
import { AppError } from '../platform/errors.ts';
import { replaceFile } from '../platform/durable-files.ts';
import { eachInPortions, inPortions } from '../platform/portions.ts';
import { GitFailure, runGit, type GitConnection } from './git-program.ts';
import { explain } from './git-errors.ts';

export type GitStore = ReturnType<typeof createGitStore>;

export type Files = ReadonlyMap<string, string>;
export type Listing = ReadonlyMap<string, string>;

type FileChange = readonly [path: string, content: string | Buffer | null];
export type FileChanges = Iterable<FileChange> | AsyncIterable<FileChange>;

export interface NewCommit {
  readonly parent: string | null;
  readonly folder: string;
  /** Files to write; null deletes a file. */
  readonly changes: FileChanges;
  readonly author: { readonly name: string; readonly email: string };
  /** Called when all changes are written. */
  readonly message: () => string;
}

const remoteRef = 'refs/limner/remote';
const ownRef = 'refs/limner/own';
const shownCommits = 200;
/** Larger files were not written by Limner. */
const maxFileBytes = 256 * 1024 * 1024;

/**
 * A bare repository on this computer for fetched and new commits. Files are never checked out, so that nothing in it is
 * executed, linked or filtered.
 */
export function createGitStore(directory: string) {
  const git = (
    args: readonly string[],
    more: { input?: Iterable<string | Buffer> | AsyncIterable<string | Buffer>; signal?: AbortSignal | undefined } = {},
  ) => runGit({ args: [`--git-dir=${directory}`, ...args], ...more });

  async function ready(): Promise<void> {
    if (existsSync(join(directory, 'HEAD'))) return;
    await runGit({ args: ['init', '--quiet', '--bare', '--template=', directory] });
  }

  async function commitOf(name: string): Promise<string | null> {
    try {
      return String(await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])).trim();
    } catch (error) {
      if (error instanceof GitFailure) return null;
      throw error;
    }
  }

  async function list(commit: string, folder: string, isWanted: (path: string) => boolean): Promise<Listing> {
    await requireCommit(commit, commitOf);
    const prefix = folder === '' ? '' : `${folder}/`;
    const listing = await git(['ls-tree', '-r', '-z', '--full-tree', commit, ...(prefix ? ['--', prefix] : [])]);
    return new Map(
      String(listing)
        .split('\0')
        .flatMap((line): [string, string][] => {
          const [, hash = '', path = ''] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
          const below = path.slice(prefix.length);
          return path.startsWith(prefix) && hash !== '' && isWanted(below) ? [[below, hash]] : [];
        }),
    );
  }

  async function readBytes(files: Listing): Promise<Map<string, Buffer>> {
    const wanted = [...files.values()].map((hash) => `${hash}\n`);
    return new Map(readBatch(await git(['cat-file', '--batch', '--buffer'], { input: wanted }), [...files.keys()]));
  }

  return {
    /** Lists the selected files below a folder at a commit. */
    list,
    readBytes,
    ...createFolders(git),
    ...createPast(git, commitOf),
    ...createNotes(directory),

    /** Fetches a branch. Returns its newest commit; null if the branch does not exist. */
    async fetch(connection: GitConnection, branch: string, signal?: AbortSignal): Promise<string | null> {
      await ready();
      const source = `+refs/heads/${branch}:${remoteRef}`;
      const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--'];
      try {
        const args = [`--git-dir=${directory}`, ...words, connection.address.text, source];
        await runGit({ args, connection, signal });
      } catch (error) {
        if (error instanceof GitFailure && /couldn't find remote ref/i.test(error.said)) {
          await git(['update-ref', '-d', remoteRef]);
          return null;
        }
        throw explain(error, connection.address);
      }
      return commitOf(remoteRef);
    },

    fetched: async (): Promise<string | null> => (existsSync(join(directory, 'HEAD')) ? commitOf(remoteRef) : null),

    /** @throws AppError 409 if someone else has pushed since `commit`'s parent */
    async push(connection: GitConnection, branch: string, commit: string, signal?: AbortSignal): Promise<void> {
      const args = [`--git-dir=${directory}`, 'push', '--quiet', '--', connection.address.text];
      try {
        await runGit({ args: [...args, `${commit}:refs/heads/${branch}`], connection, signal });
      } catch (error) {
        throw explain(error, connection.address);
      }
      await git(['update-ref', remoteRef, commit]);
    },

    async read(commit: string, folder: string, isWanted: (path: string) => boolean): Promise<Files> {
      const found = await readBytes(await list(commit, folder, isWanted));
      const files = new Map<string, string>();
      await inPortions(eachInPortions(found, ([path, bytes]) => void files.set(path, bytes.toString('utf8'))));
      return files;
    },

    /** The newest ancestor commit that changed a file; null if there is none. */
    async lastChange(commit: string, path: string): Promise<string | null> {
      return String(await git(['log', '--max-count=1', '--format=%H', commit, '--', path])).trim() || null;
    },

    async commit({ parent, folder, changes, author, message }: NewCommit): Promise<string> {
      await ready();
      const now = Math.floor(Date.now() / 1000);
      const name = author.name.replaceAll(/[<>\n\0]/g, ' ').trim();
      const email = author.email.replaceAll(/[<>\s\0]/g, '');
      /** Contents first: they are sent while they are read, and the message counts them. */
      async function* stream(): AsyncGenerator<string | Buffer> {
        const lines: string[] = [];
        let mark = 0;
        for await (const [path, text] of changes) {
          const whole = quotedPath(folder === '' ? path : `${folder}/${path}`);
          if (text === null) {
            lines.push(`D ${whole}\n`);
            continue;
          }
          mark += 1;
          lines.push(`M 100644 :${mark} ${whole}\n`);
          yield `blob\nmark :${mark}\ndata ${Buffer.byteLength(text)}\n`;
          yield text;
          yield '\n';
        }
        yield `commit ${ownRef}\ncommitter ${name} <${email}> ${now} +0000\n${data(message())}`;
        yield parent === null ? 'deleteall\n' : `from ${parent}\n`;
        yield* lines;
        yield 'done\n';
      }
      await git(['fast-import', '--quiet', '--force', '--done', '--date-format=raw'], { input: stream() });
      const made = await commitOf(ownRef);
      if (made === null) throw new AppError('internal', 'The new commit does not exist.');
      return made;
    },
  };
}

type Git = (args: readonly string[]) => Promise<Buffer>;

const createPast = (git: Git, commitOf: (name: string) => Promise<string | null>) => ({
  /**
   * True if a commit is the newest one made here, on top of `base`. As the newest one of the remote it has arrived,
   * even if the process ended before it noted that.
   */
  async isOwn(commit: string, base: string | null): Promise<boolean> {
    if ((await commitOf(ownRef)) !== commit) return false;
    if (base === null) return true;
    try {
      await git(['merge-base', '--is-ancestor', base, commit]);
      return true;
    } catch (error) {
      if (error instanceof GitFailure) return false;
      throw error;
    }
  },

  async history(commit: string, folder: string): Promise<GitCommit[]> {
    const format = '--format=%H%x00%an%x00%ae%x00%aI%x00%s%x00';
    const place = folder === '' ? [] : [folder];
    const output = await git(['log', `--max-count=${shownCommits}`, format, commit, '--', ...place]);
    const fields = String(output).split('\0');
    const commits: GitCommit[] = [];
    for (let at = 0; at + 4 < fields.length; at += 5) {
      const [id = '', author = '', email = '', date = '', message = ''] = fields.slice(at, at + 5);
      commits.push({ commit: id.trim(), author, email, date, message });
    }
    return commits;
  },
});

const createFolders = (git: Git) => ({
  /** Hash of the content of a folder at a commit; null if it does not exist. */
  async treeOf(commit: string, folder: string): Promise<string | null> {
    const name = folder === '' ? `${commit}^{tree}` : `${commit}:${folder}`;
    try {
      return String(await git(['rev-parse', '--verify', '--quiet', name])).trim();
    } catch (error) {
      if (error instanceof GitFailure) return null;
      throw error;
    }
  },

  /** Names of the folders in a folder at a commit. */
  async folders(commit: string, folder: string): Promise<readonly string[]> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const output = await git(['ls-tree', '-d', '-z', '--full-tree', commit, ...(prefix ? ['--', prefix] : [])]);
    return String(output)
      .split('\0')
      .flatMap((line) => {
        const path = line.slice(line.indexOf('\t') + 1);
        return line === '' ? [] : [path.slice(prefix.length)];
      });
  },
});

const createNotes = (directory: string) => ({
  /** A small file beside the repository, which is deleted with it. Null if it does not exist. */
  async readNote(name: string): Promise<string | null> {
    const file = join(directory, name);
    return existsSync(file) ? readFile(file, 'utf8') : null;
  },

  writeNote: (name: string, text: string): Promise<void> =>
    replaceFile(join(directory, name), (temporary) => writeFile(temporary, text)),
});

async function requireCommit(commit: string, commitOf: (name: string) => Promise<string | null>): Promise<void> {
  if (!/^[0-9a-f]{40,64}$/.test(commit) || (await commitOf(commit)) === null)
    throw new AppError('not-found', 'This repository has no such commit. Pull, and check its history again.');
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

const quotedPath = (path: string): string =>
  `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;

/** `cat-file --batch` writes a line with the size before each content and a newline after it. */
function* readBatch(content: Buffer, paths: readonly string[]): Generator<[string, Buffer]> {
  let at = 0;
  for (const path of paths) {
    const lineEnd = content.indexOf(0x0a, at);
    const size = Number(content.toString('latin1', at, lineEnd).split(' ').at(-1));
    if (!Number.isSafeInteger(size) || size > maxFileBytes)
      throw new AppError('too-large', `The file ${path} of the repository is too large to be annotations.`);
    yield [path, content.subarray(lineEnd + 1, lineEnd + 1 + size)];
    at = lineEnd + 1 + size + 1;
  }
}
