import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { AppError, invalidField } from '../../../platform/errors.ts';

const execute = promisify(execFile);
const maxOutputBytes = 64 * 1024 * 1024;

export interface PlacedFile {
  readonly source: string;
  readonly size: number;
  readonly isProgram: boolean;
}

export type PlacedFiles = ReadonlyMap<string, PlacedFile>;

const factsSchema = z.object({
  version: z.string(),
  program: z.string(),
  prefix: z.string(),
  library: z.string(),
  of_packages: z.string(),
  folders: z.array(z.string()),
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
});
type PythonFacts = z.output<typeof factsSchema>;

/** Runs in the interpreter under its original path, because the files next to that path make it an environment. */
const question = `
import importlib.metadata, json, os, site, sys, sysconfig
library = sysconfig.get_path("stdlib")
inside = (library, os.path.join(library, "lib-dynload"))
folders = [path for path in sys.path if os.path.isdir(path) and path not in inside]
found = {}
for one in importlib.metadata.distributions(path=folders):
    name = one.metadata["Name"]
    if name: found.setdefault(name, one.version)
print(json.dumps({
    "version": "%d.%d.%d" % sys.version_info[:3],
    "program": os.path.realpath(sys.executable),
    "prefix": sys.base_prefix,
    "library": library,
    "of_packages": "dist-packages" if any(one.endswith("dist-packages") for one in site.getsitepackages()) else "site-packages",
    "folders": folders,
    "packages": [{"name": name, "version": str(version)} for name, version in sorted(found.items())],
}))`;

/** Unpacks wheels into a package folder, like pip. */
const unpacking = `
import os, shutil, sys, zipfile
source, target = sys.argv[1:3]
for name in sorted(os.listdir(source)):
    if not name.endswith(".whl"): continue
    with zipfile.ZipFile(os.path.join(source, name)) as wheel: wheel.extractall(target)
for folder in [one for one in os.listdir(target) if one.endswith(".data")]:
    for part in ("purelib", "platlib"):
        place = os.path.join(target, folder, part)
        if os.path.isdir(place): shutil.copytree(place, target, dirs_exist_ok=True)
    shutil.rmtree(os.path.join(target, folder))`;

export type PythonEnvironment = Awaited<ReturnType<typeof readPythonEnvironment>>;

/** Parts of the standard library that a server never needs. */
const unneeded: ReadonlySet<string> = new Set([
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
  '__pycache__',
]);
const installers = /^(pip|setuptools|wheel|_distutils_hack|pkg_resources)(-[^/]*)?$|^distutils-precedence\.pth$/;
const ofCards = /^(nvidia|nvidia_[^/]*|torch|torch-[^/]*|triton|triton-[^/]*|functorch|torchgen)$/;
/** Driver libraries. The host mounts its own into the container. */
const ofDriver = /^(libcuda\.so|libnvidia-|libnvcuvid|libnvoptix)/;
/** Loaded by name at run time, so `ldd` does not list them. */
const openedByName = [
  'libstdc++.so.6',
  'libgcc_s.so.1',
  'libgomp.so.1',
  'libpthread.so.0',
  'libdl.so.2',
  'librt.so.1',
  'libutil.so.1',
  'libm.so.6',
  'libresolv.so.2',
  'libnss_files.so.2',
  'libnss_dns.so.2',
];

/**
 * Reads the files of a Python environment and their paths in an image.
 * @param path an interpreter, a virtual or conda environment, or a folder of wheels; null for this computer's python3
 * @param hasPackages includes the packages of a plain interpreter
 */
export async function readPythonEnvironment(
  path: string | null,
  findProgram: (name: string) => Promise<string>,
  hasPackages: boolean,
) {
  const { program, wheels } = await programOf(path, findProgram);
  const facts = await askProgram(program);
  let unpacked: string | null = null;
  const close = async () => {
    if (unpacked !== null) await rm(unpacked, { recursive: true, force: true });
  };
  try {
    if (wheels !== null) {
      await requireFitting(wheels, facts.version);
      unpacked = await mkdtemp(join(tmpdir(), 'limner-wheels-'));
      await execute(program, ['-I', '-c', unpacking, wheels, unpacked], { maxBuffer: maxOutputBytes });
    }
    const folders = unpacked === null ? (hasPackages ? facts.folders : []) : [unpacked];
    const own = unpacked === null ? facts.packages : await packagesIn(program, unpacked);
    return {
      ...(await placed(facts, folders)),
      version: facts.version,
      packages: hasPackages ? own.filter(({ name }) => !installers.test(name)) : [],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function programOf(
  path: string | null,
  findProgram: (name: string) => Promise<string>,
): Promise<{ program: string; wheels: string | null }> {
  if (path === null) return { program: await findProgram('python3'), wheels: null };
  const problem = (message: string) => invalidField('environment', message);
  if (!isAbsolute(path)) throw problem(`Enter the absolute path of the environment, not "${path}".`);
  const facts = await stat(path).catch(() => null);
  if (facts?.isFile() && (facts.mode & 0o111) !== 0) return { program: path, wheels: null };
  if (!facts?.isDirectory()) throw problem(`${path} is neither an interpreter nor an environment on this computer.`);
  for (const name of ['bin/python3', 'bin/python']) {
    const program = join(path, name);
    if ((await stat(program).catch(() => null))?.isFile()) return { program, wheels: null };
  }
  if ((await readdir(path)).some((name) => name.endsWith('.whl'))) {
    return { program: await findProgram('python3'), wheels: path };
  }
  throw problem(`${path} is not a Python environment: it has neither bin/python3 nor wheels (.whl).`);
}

async function askProgram(program: string): Promise<PythonFacts> {
  const env = { LC_ALL: 'C', PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/' };
  try {
    const { stdout } = await execute(program, ['-I', '-c', question], { maxBuffer: maxOutputBytes, env });
    return factsSchema.parse(JSON.parse(stdout));
  } catch (cause) {
    const message = `${program} does not behave like Python. Choose another interpreter.`;
    throw new AppError('invalid', message, { environment: [message] }, { cause });
  }
}

async function packagesIn(program: string, folder: string): Promise<PythonFacts['packages']> {
  const script = question.replace('path=folders', `path=[${JSON.stringify(folder)}]`);
  const { stdout } = await execute(program, ['-I', '-c', script], { maxBuffer: maxOutputBytes });
  return factsSchema.parse(JSON.parse(stdout)).packages;
}

/** Rejects wheels for another Python or platform, which would only fail later. */
async function requireFitting(folder: string, version: string): Promise<void> {
  const [major = '3', minor = '0'] = version.split('.');
  const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string] ?? process.arch;
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.whl'))) {
    const [platform = '', abi = '', python = ''] = name.slice(0, -4).split('-').toReversed();
    const isPython = python
      .split('.')
      .some((tag) => /^py[23]$/.test(tag) || tag === `cp${major}${minor}` || (abi === 'abi3' && tag.startsWith('cp3')));
    const isMachine = platform === 'any' || (platform.includes('linux') && platform.endsWith(machine));
    if (isPython && isMachine) continue;
    const message = `${name} is not compatible with Python ${major}.${minor} on Linux ${machine}. Nothing was built.`;
    throw new AppError('invalid', message, { environment: [message] });
  }
}

type Placed = Map<string, PlacedFile>;

async function placed(facts: PythonFacts, folders: readonly string[]) {
  const minor = facts.version.split('.').slice(0, 2).join('.');
  const home = `usr/local/lib/python${minor}`;
  const site = `${home}/${facts.of_packages}`;
  /** The interpreter, its standard library, and the shared libraries that they and the packages need. */
  const interpreter: Placed = new Map();
  /** Packages with GPU libraries: gigabytes that seldom change. */
  const cards: Placed = new Map();
  const others: Placed = new Map();
  await place(interpreter, facts.program, 'usr/local/bin/python3');
  await placeFolder(interpreter, facts.library, home, (name) => unneeded.has(name) || /^config-|^_tkinter/.test(name));
  for (const folder of folders) {
    for (const name of await readdir(folder)) {
      if (installers.test(name) || name === '__pycache__') continue;
      const target = ofCards.test(name) ? cards : others;
      await placeAny(target, join(folder, name), `${site}/${name}`, (one) => one === '__pycache__');
    }
  }
  const missing = await addLibraries(interpreter, [interpreter, cards, others], facts.prefix);
  return { interpreter, cards, others, missing };
}

async function placeAny(files: Placed, source: string, at: string, isLeftOut: (name: string) => boolean) {
  const facts = await stat(source).catch(() => null);
  if (facts?.isDirectory()) await placeFolder(files, source, at, isLeftOut);
  else if (facts?.isFile()) await place(files, source, at);
}

const maxDepth = 40;

/** Resolves symbolic links, because their targets do not exist in the image. */
async function placeFolder(
  files: Placed,
  folder: string,
  at: string,
  isLeftOut: (name: string) => boolean,
  depth = 0,
): Promise<void> {
  if (depth > maxDepth) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (isLeftOut(entry.name)) continue;
    const [source, target] = [join(folder, entry.name), `${at}/${entry.name}`];
    // Only at the top of the standard library, because packages may import their test modules.
    const inner = depth === 0 || entry.name === '__pycache__' ? isLeftOut : (name: string) => name === '__pycache__';
    if (entry.isDirectory()) await placeFolder(files, source, target, inner, depth + 1);
    else await place(files, source, target);
  }
}

async function place(files: Placed, source: string, at: string): Promise<void> {
  const facts = await stat(source).catch(() => null);
  if (!facts?.isFile()) return;
  files.set(normalize(at), { source: await realpath(source), size: facts.size, isProgram: (facts.mode & 0o111) !== 0 });
}

export async function isMachineCode(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString('latin1') === '\u007fELF';
  } finally {
    await handle.close();
  }
}

const groupSize = 100;

/** Adds shared libraries that programs and packages load, under the names that they use. */
async function addLibraries(target: Placed, all: readonly Placed[], prefix: string) {
  const there = new Set(all.flatMap((files) => [...files.values()].map(({ source }) => source)));
  const names = /\.so(\.|$)|\/bin\//;
  const candidates = all.flatMap((files) =>
    [...files.entries()].filter(([at, one]) => one.isProgram || names.test(at)),
  );
  const programs: string[] = [];
  for (const [, { source }] of candidates) if (await isMachineCode(source)) programs.push(source);
  const found = new Set<string>();
  const missing: { file: string; library: string }[] = [];
  for (let start = 0; start < programs.length; start += groupSize) {
    const read = readListing(await listLibraries(programs.slice(start, start + groupSize)));
    for (const path of read.paths) found.add(path);
    missing.push(...read.missing);
  }
  const folders = new Set(
    [...found].filter((path) => path.endsWith('/libc.so.6')).map((path) => path.slice(0, path.lastIndexOf('/'))),
  );
  for (const folder of folders) for (const name of openedByName) found.add(`${folder}/${name}`);
  for (const path of found) {
    const source = await realpath(path).catch(() => null);
    if (source === null || there.has(source) || ofDriver.test(basename(path))) continue;
    const isOwn = !/^\/usr\/?$/.test(prefix) && path.startsWith(`${prefix}/`);
    await place(target, source, isOwn ? `usr/local/lib/${basename(path)}` : path.slice(1));
  }
  /** Libraries missing on this computer, each with a file that needs it. */
  return missing.filter(({ library }) => !ofDriver.test(library));
}

/** Output of ldd for programs and libraries. @throws AppError 400 if ldd is missing */
export async function listLibraries(files: readonly string[]): Promise<string> {
  try {
    const env = { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' };
    return (await execute('ldd', [...files], { maxBuffer: maxOutputBytes, env })).stdout;
  } catch (error) {
    // ldd fails if one of the files is static or lacks a library, but still lists the others.
    const stdout: unknown = Reflect.get(Object(error), 'stdout');
    if (typeof stdout === 'string' && stdout !== '') return stdout;
    throw new AppError('invalid', 'Cannot find the libraries of the interpreter: the program "ldd" is not installed.');
  }
}

/** Parses ldd's output: each library once, with its path normalized (`PIL/../pillow.libs`), and the missing ones. */
export function readListing(output: string) {
  const paths = new Set<string>();
  const missing: { file: string; library: string }[] = [];
  let file = '';
  for (const line of output.split('\n')) {
    const [, named] = /^(\/.+):$/.exec(line) ?? [];
    if (named !== undefined) file = named;
    const [, path] = /(?:=>\s*|^\s*)(\/\S+)\s+\(0x/.exec(line) ?? [];
    if (path !== undefined) paths.add(normalize(path));
    const [, library] = /^\s*(\S+)\s+=>\s+not found/.exec(line) ?? [];
    if (library !== undefined) missing.push({ file, library });
  }
  return { paths: [...paths], missing };
}
