import { execFile } from 'node:child_process';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { createArchive, handlerPlace, type ArchivedFolder } from './handler-archive.ts';
import { readProgress } from './images.ts';

const execute = promisify(execFile);
const maxOutputBytes = 16 * 1024 * 1024;
const baseLabel = 'app.limner.base';

export type BaseLanguage = 'node' | 'python';

export interface BaseImageInput {
  readonly language: BaseLanguage;
  /** Python packages of this machine that go with it, for example `PIL`; each must be importable. */
  readonly packages?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Makes a base image out of this machine's own interpreter and its libraries, so that handlers run without any image
 * from elsewhere. Answers its name, for example `limner/base-node:24.21.0`.
 * @throws AppError 400 where this machine has no interpreter for Linux
 */
export async function makeBaseImage(docker: Docker, input: BaseImageInput): Promise<string> {
  if (process.platform !== 'linux') {
    throw cannot(
      'Base images are made from the programs of a Linux computer. Import an image from an archive instead.',
    );
  }
  const { version, folders } = input.language === 'node' ? await nodeParts() : await pythonParts(input.packages ?? []);
  const tag = [version, ...(input.packages ?? [])]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-');
  const name = `limner/base-${input.language}:${tag}`;
  const users = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n';
  const archive = createArchive(
    folders,
    [
      { path: 'etc/passwd', content: users },
      { path: 'etc/group', content: 'root:x:0:\nnogroup:x:65534:\n' },
      { path: `${handlerPlace}/.keep`, content: '' },
    ],
    input.signal,
    // A file system that is put over it takes its rights, whatever it is told.
    [{ path: 'tmp', mode: 0o1777 }],
  );
  const output = await docker.importImage(archive, {
    repo: `limner/base-${input.language}`,
    tag,
    changes: `WORKDIR /${handlerPlace}\nLABEL ${baseLabel}=${JSON.stringify(input.language)}`,
    ...(input.signal ? { abortSignal: input.signal } : {}),
  });
  const { problem } = await readProgress(output);
  if (problem !== null) throw cannot(`The base image could not be made: ${problem}`);
  await docker.getImage(name).tag({ repo: `limner/base-${input.language}`, tag: 'latest' });
  await removeNameless(docker);
  return name;
}

/** Base images whose name a newer one has. Where functions still stand on one, the Engine keeps it until the next time. */
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
    folders: [{ source: program, place: 'usr/local/bin/node' }, ...(await libraries([program]))],
  };
}

/** Electron's program is called by another name, and cannot run a server without its screens. */
async function isNode(path: string): Promise<boolean> {
  if (!/^node(js)?$/.test(basename(path))) return false;
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === '\u007fELF';
  } finally {
    await handle.close();
  }
}

async function findProgram(name: string): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => null);
    if (facts?.isFile() && (facts.mode & 0o111) !== 0) return path;
  }
  throw cannot(
    `There is no program "${name}" on this computer to make a base image from. Install it, or import an image.`,
  );
}

const pythonFacts = z.object({
  version: z.string(),
  executable: z.string(),
  library: z.string(),
  packages: z.record(z.string(), z.string().nullable()),
});

/** Asked of the interpreter itself: distributions place their parts differently. */
const pythonQuestion = `
import importlib.util, json, os, sys, sysconfig
def place(name):
    found = importlib.util.find_spec(name)
    if found is None: return None
    return list(found.submodule_search_locations)[0] if found.submodule_search_locations else found.origin
print(json.dumps({
    "version": "%d.%d.%d" % sys.version_info[:3],
    "executable": os.path.realpath(sys.executable),
    "library": sysconfig.get_path("stdlib"),
    "packages": {name: place(name) for name in sys.argv[1:]},
}))`;

/** Parts of the standard library that a server never needs. */
const pythonSkipped: ReadonlySet<string> = new Set([
  'test',
  'tests',
  'idlelib',
  'lib2to3',
  'tkinter',
  'turtledemo',
  'ensurepip',
  'site-packages',
  'dist-packages',
  'pydoc_data',
]);

async function pythonParts(packages: readonly string[]): Promise<Parts> {
  const wrong = packages.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong !== undefined) throw cannot(`"${wrong}" is no name of a Python package.`);
  // By the name that it is called by: a virtual environment's is a link, and knows its packages by where it lies.
  const program = await findProgram('python3');
  const { stdout } = await execute(program, ['-c', pythonQuestion, ...packages], { maxBuffer: maxOutputBytes });
  const facts = pythonFacts.parse(JSON.parse(stdout));
  const minor = facts.version.split('.').slice(0, 2).join('.');
  const home = `usr/local/lib/python${minor}`;
  const folders: ArchivedFolder[] = [
    { source: facts.executable, place: 'usr/local/bin/python3' },
    { source: facts.library, place: home, skip: pythonSkipped },
  ];
  for (const [name, path] of Object.entries(facts.packages)) {
    if (path === null) throw cannot(`Python's package "${name}" is not installed on this computer.`);
    folders.push(...(await packageParts(path, `${home}/site-packages`)));
  }
  const binaries = [facts.executable, ...(await sharedObjects(folders.slice(1)))];
  return { version: facts.version, folders: [...folders, ...(await libraries(binaries, folders))] };
}

/** A package, and the folder beside it in which wheels keep their libraries. */
async function packageParts(path: string, place: string): Promise<ArchivedFolder[]> {
  const home = dirname(path);
  const name = basename(path);
  const beside = (await readdir(home)).filter(
    (one) => one.toLowerCase().replace('pillow', 'pil') === `${name.toLowerCase()}.libs`,
  );
  return [name, ...beside].map((one) => ({
    source: join(home, one),
    place: `${place}/${one}`,
    skip: new Set(['tests']),
  }));
}

async function sharedObjects(folders: readonly ArchivedFolder[]): Promise<string[]> {
  const found: string[] = [];
  for (const { source, skip } of folders) {
    const facts = await stat(source);
    if (!facts.isDirectory()) continue;
    for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
      const isSkipped = entry.parentPath.split('/').some((part) => skip?.has(part) === true && !source.includes(part));
      if (entry.isFile() && entry.name.endsWith('.so') && !isSkipped) found.push(join(entry.parentPath, entry.name));
    }
  }
  return found;
}

/** The shared libraries of programs, at the places where they look for them. */
async function libraries(
  programs: readonly string[],
  archived: readonly ArchivedFolder[] = [],
): Promise<ArchivedFolder[]> {
  const { stdout } = await execute('ldd', [...programs], { maxBuffer: maxOutputBytes }).catch(
    (error: unknown): { stdout: string } => {
      // ldd fails when one of many files is static or lacks a library, and still tells of the others.
      const stdout: unknown = Reflect.get(Object(error), 'stdout');
      if (typeof stdout === 'string' && stdout !== '') return { stdout };
      throw cannot('The libraries of the interpreter could not be found: the program "ldd" is not there.');
    },
  );
  return librariesIn(stdout, archived);
}

/**
 * What ldd names, each once: libraries of a wheel name each other by ways such as `PIL/../pillow.libs`, and go with
 * their package already.
 */
export function librariesIn(output: string, archived: readonly ArchivedFolder[]): ArchivedFolder[] {
  const named = [...output.matchAll(/(?:=>\s*|^\s*)(\/\S+)\s+\(0x/gm)].map(([, path = '']) => normalize(path));
  const isArchived = (path: string) => archived.some(({ source }) => path.startsWith(`${source}/`));
  return [...new Set(named)]
    .filter((path) => !isArchived(path))
    .map((path) => ({ source: path, place: path.slice(1) }));
}
