import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { z } from 'zod';
import type { modelImageSchema } from '../../../../preload/contract/schema/functions.ts';
import { AppError } from '../../../platform/errors.ts';
import { taggedReference } from '../../configuration/image-reference.ts';
import { daemonText, statusOf, unlessAnswered } from './engine-problem.ts';

/** Label of images that Limner built; its value is the function's name. */
export const madeForLabel = 'app.limner.made-for';

export interface ImageDetails {
  readonly id: string;
  readonly command: readonly string[];
  readonly entrypoint: readonly string[];
  readonly user: string;
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

export async function listImages(docker: Docker): Promise<z.output<typeof modelImageSchema>[]> {
  const images = await docker.listImages();
  return images.map((image) => ({
    id: image.Id,
    names: (image.RepoTags ?? []).filter((name) => name !== '<none>:<none>').map(shortName),
    size_bytes: image.Size,
    created_date: new Date(image.Created * 1000).toISOString(),
  }));
}

/** Podman uses fully qualified image names. */
const shortName = (name: string): string => name.replace(/^docker\.io\/(library\/)?/, '');

/** Null if the image does not exist. */
export async function findImage(docker: Docker, name: string): Promise<ImageDetails | null> {
  if (name === '') return null;
  const found = await unlessAnswered([404], () => docker.getImage(name).inspect());
  if (found === null) return null;
  const { Id, Config } = found;
  const list = (value: string | string[] | undefined | null) => (typeof value === 'string' ? [value] : (value ?? []));
  return {
    id: Id,
    command: list(Config.Cmd),
    entrypoint: list(Config.Entrypoint),
    user: Config.User ?? '',
    workingDirectory: Config.WorkingDir ?? '',
    variables: Object.fromEntries(
      list(Config.Env).map((line) => [line.replace(/=[^]*$/, ''), line.replace(/^[^=]*=?/, '')]),
    ),
    labels: Config.Labels ?? {},
  };
}

/** @throws AppError 404 with a remedy */
export async function requireImage(docker: Docker, name: string, purpose: string): Promise<ImageDetails> {
  const found = await findImage(docker, name);
  if (found) return found;
  const message =
    `Docker does not have the image "${taggedReference(name)}", ${purpose}. Import it from an archive ` +
    '(docker save on a computer that has it), or choose another image.';
  throw new AppError('not-found', message);
}

/**
 * Imports an archive of `docker save`: a tar, plain or compressed with gzip or xz. Returns the names (or ids) of its
 * images.
 * @throws AppError 400 for other files
 */
export async function importArchive(docker: Docker, archive: Readable): Promise<string[]> {
  let output: NodeJS.ReadableStream;
  try {
    output = await docker.loadImage(archive);
  } catch (error) {
    if (statusOf(error) === undefined) throw error;
    throw notAnArchive(daemonText(error));
  }
  const { text, problem } = await readProgress(output);
  if (problem !== null) throw notAnArchive(problem);
  const names = [...text.matchAll(/Loaded image(?: ID)?: (\S+)/g)].map(([, name = '']) => name);
  if (names.length === 0) throw notAnArchive('it contains no image');
  return names;
}

const notAnArchive = (reason: string) => {
  const message =
    `Cannot import the file: ${reason}. Choose an archive created by "docker save" ` +
    '(.tar, .tar.gz, .tar.xz). Nothing was imported.';
  return new AppError('invalid', message);
};

/**
 * Reads the JSON lines that Docker sends during a build or an import. Errors have status 200 and are in the last line.
 */
export async function readProgress(
  output: NodeJS.ReadableStream,
  onLine: (line: string) => void = () => undefined,
): Promise<{ text: string; problem: string | null }> {
  let rest = '';
  let text = '';
  let problem: string | null = null;
  const take = (line: string) => {
    if (line.trim() === '') return;
    const { stream, status, error } = parseLine(line);
    problem = error ?? problem;
    const shown = error ?? stream ?? status ?? '';
    text += shown;
    for (const part of shown.split('\n')) if (part.trim() !== '') onLine(part.trimEnd());
  };
  output.setEncoding('utf8');
  for await (const piece of output) {
    const lines = (rest + String(piece)).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
  take(rest);
  return { text, problem };
}

interface ProgressLine {
  readonly stream?: string;
  readonly status?: string;
  readonly error?: string;
}

function parseLine(line: string): ProgressLine {
  try {
    const value: unknown = JSON.parse(line);
    const text = (from: unknown, key: string): string | undefined => {
      const found: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, key) : undefined;
      return typeof found === 'string' ? found : undefined;
    };
    const detail: unknown = Reflect.get(Object(value), 'errorDetail');
    return {
      stream: text(value, 'stream'),
      status: text(value, 'status'),
      error: text(detail, 'message') ?? text(value, 'error'),
    };
  } catch {
    return { stream: `${line}\n` };
  }
}

/**
 * Adds a name to an image, so that it is kept when its other names move to newer images. @param held the name with its
 * tag
 */
export async function holdImage(docker: Docker, name: string, held: string): Promise<void> {
  const [repo, tag] = held.split(':');
  await docker.getImage(name).tag({ repo: repo ?? held, tag: tag ?? 'latest' });
}

/** Removes an image that Limner built, unless it is in use. */
export async function removeMadeImage(docker: Docker, name: string): Promise<void> {
  const found = await findImage(docker, name).catch(() => null);
  if (found?.labels[madeForLabel] === undefined) return;
  await docker
    .getImage(name)
    .remove({ noprune: false })
    .catch(() => undefined);
}
