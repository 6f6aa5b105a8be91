import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { AppError } from '../../../platform/errors.ts';
import { createArchive, handlerPlace, type ArchivedFolder } from './handler-archive.ts';
import { writeImage } from './image-layers.ts';
import { importArchive, readProgress } from './images.ts';
import {
  isMachineCode,
  listLibraries,
  readListing,
  readPythonEnvironment,
  type PlacedFiles,
  type PythonEnvironment,
} from './python-environment.ts';

const execute = promisify(execFile);
const baseLabel = 'app.limner.base';

export type BaseLanguage = 'node' | 'python';

export interface BaseImageInput {
  readonly language: BaseLanguage;
  /** Python packages of this computer to include, for example `PIL`; each must be importable. */
  readonly packages?: readonly string[];
  /** Interpreter, virtual or conda environment, or folder of wheels on this computer, with all packages. */
  readonly environment?: string;
  readonly signal?: AbortSignal;
}

/**
 * Builds a base image from this computer's interpreter and its libraries, so that handlers run without downloads.
 * Returns its name, for example `limner/base-node:24.21.0`.
 * @throws AppError 400 if this computer has no Linux interpreter
 */
export async function buildBaseImage(docker: Docker, input: BaseImageInput): Promise<string> {
  requireLinux();
  return input.language === 'python' ? makePythonImage(docker, input) : makeNodeImage(docker, input);
}

function requireLinux(): void {
  if (process.platform === 'linux') return;
  throw cannot('Base images are built from programs of a Linux computer. Import an image from an archive instead.');
}

const users = [
  {
    path: 'etc/passwd',
    content: 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n',
  },
  { path: 'etc/group', content: 'root:x:0:\nnogroup:x:65534:\n' },
];
const keptPlace = { path: `${handlerPlace}/.keep`, content: '' };
/** A tmpfs mounted here inherits the mode of the directory and ignores its own mode option. */
const directories = [{ path: 'tmp', mode: 0o1777 }];

async function makeNodeImage(docker: Docker, input: BaseImageInput): Promise<string> {
  const { version, folders } = await nodeParts();
  const name = `limner/base-node:${version}`;
  const output = await docker.importImage(createArchive(folders, [...users, keptPlace], input.signal, directories), {
    // Name and tag together, because Podman ignores a separate tag.
    repo: name,
    changes: `WORKDIR /${handlerPlace}\nLABEL ${baseLabel}="node"`,
    abortSignal: input.signal,
  });
  const { problem } = await readProgress(output);
  if (problem !== null) throw cannot(`Cannot build the base image: ${problem}`);
  await tagAsLatest(docker, name, 'node');
  return name;
}

async function tagAsLatest(docker: Docker, name: string, language: BaseLanguage): Promise<void> {
  await docker.getImage(name).tag({ repo: `limner/base-${language}`, tag: 'latest' });
  await removeNameless(docker);
}

export async function inspectEnvironment(path: string) {
  requireLinux();
  const environment = await readPythonEnvironment(path, findProgram, true);
  const sizeOf = (files: PlacedFiles) => [...files.values()].reduce((sum, { size }) => sum + size, 0);
  const { version, packages, interpreter, cards, others, missing } = environment;
  await environment.close();
  return {
    version,
    packages: [...packages],
    file_count: interpreter.size + cards.size + others.size,
    interpreter_bytes: sizeOf(interpreter),
    gpu_package_bytes: sizeOf(cards),
    package_bytes: sizeOf(others),
    missing: [...missing],
  };
}

/** Builds layers, so that images share the interpreter and images of one environment share all layers. */
async function makePythonImage(docker: Docker, { environment: path, packages = [], signal }: BaseImageInput) {
  const hasPackages = path !== undefined || packages.length > 0;
  const environment = await readPythonEnvironment(path ?? null, findProgram, hasPackages);
  try {
    await requirePackages(environment, packages);
    const known = JSON.stringify([environment.packages, path ?? '']);
    const print = hasPackages ? `-${createHash('sha256').update(known).digest('hex').slice(0, 8)}` : '';
    const name = `limner/base-python:${environment.version}${print}`;
    const image = await writeImage(
      {
        name,
        layers: [environment.interpreter, environment.cards, environment.others],
        texts: [...users, keptPlace],
        directories,
        config: {
          WorkingDir: `/${handlerPlace}`,
          Labels: { [baseLabel]: 'python' },
          Env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'LD_LIBRARY_PATH=/usr/local/lib'],
        },
      },
      signal,
    );
    try {
      await importArchive(docker, image.archive);
    } finally {
      await image.close();
    }
    // Environments are selected by name. Functions without one use the plain interpreter, so only that gets the tag.
    if (path === undefined) await tagAsLatest(docker, name, 'python');
    return name;
  } finally {
    await environment.close();
  }
}

async function requirePackages({ others, cards }: PythonEnvironment, packages: readonly string[]): Promise<void> {
  const wrong = packages.find((one) => !/^[A-Za-z_]\w*$/.test(one));
  if (wrong !== undefined) throw cannot(`"${wrong}" is not a valid name of a Python package.`);
  const places = [...others.keys(), ...cards.keys()].map((place) => place.split('/').slice(4));
  const isThere = (name: string) =>
    places.some(([first = '']) => first === name || first.startsWith(`${name}.`) || first === `${name}.py`);
  const missing = packages.find((one) => !isThere(one));
  if (missing !== undefined) throw cannot(`The Python package "${missing}" is not installed on this computer.`);
}

/** Removes untagged base images that a newer one has replaced. Those still in use stay until the next call. */
async function removeNameless(docker: Docker): Promise<void> {
  const images = await docker.listImages({ filters: { dangling: ['true'], label: [baseLabel] } });
  for (const { Id } of images) {
    await docker
      .getImage(Id)
      .remove()
      .catch(() => undefined);
  }
}

const cannot = (message: string) => new AppError('invalid', message);

interface Parts {
  readonly version: string;
  readonly folders: readonly ArchivedFolder[];
}

async function nodeParts(): Promise<Parts> {
  const program = (await isNode(process.execPath)) ? process.execPath : await realpath(await findProgram('node'));
  const { stdout } = await execute(program, ['--version']);
  return {
    version: stdout.trim().replace(/^v/, ''),
    folders: [
      { source: program, place: 'usr/local/bin/node' },
      // Libraries at the paths where the program looks for them.
      ...readListing(await listLibraries([program])).paths.map((path) => ({ source: path, place: path.slice(1) })),
    ],
  };
}

/** Excludes Electron's executable, which has another name and cannot run a server without a display. */
const isNode = async (path: string): Promise<boolean> =>
  /^node(js)?$/.test(basename(path)) && (await isMachineCode(path));

async function findProgram(name: string): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => null);
    if (facts?.isFile() && (facts.mode & 0o111) !== 0) return path;
  }
  throw cannot(
    `Cannot build a base image: the program "${name}" is not installed on this computer. Install it, or import an image.`,
  );
}
