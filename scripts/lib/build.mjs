import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { fail, isCheckout, nodeExecutable, packageFile, projectRoot } from './project.mjs';

/** Sources of every part. */
const common = ['electron.vite.config.ts', 'package.json', 'package-lock.json'];
/**
 * Parts that are built separately, each with its sources.
 * @type {readonly { name: string, sources: readonly string[], outputs: readonly string[] }[]}
 */
const parts = [
  {
    name: 'main',
    sources: [...common, 'main', 'preload/contract', 'preload/geometry'],
    outputs: ['out/main/cli.js', 'out/main/worker.js', 'out/main/desktop.js'],
  },
  { name: 'preload', sources: [...common, 'preload'], outputs: ['out/preload/index.js'] },
  {
    name: 'renderer',
    sources: [
      ...common,
      'renderer',
      'preload/contract',
      'preload/geometry',
      'scripts/third-party-notices.ts',
      'resources/licences',
    ],
    outputs: ['out/renderer/index.html', 'out/THIRD-PARTY-NOTICES'],
  },
  {
    name: 'docs',
    sources: ['package.json', 'package-lock.json', 'docs', 'resources/screenshots'],
    outputs: ['out/docs/index.html'],
  },
];
/** Source digests of the last build, by part. */
const stampFile = join(projectRoot, 'out', '.built-from.json');
const lockFile = join(projectRoot, '.cache', 'build.lock');
const longestBuildMs = 5 * 60_000;

/** Builds the parts whose output is missing or whose sources changed. Reports on standard error. */
export async function ensureBuilt() {
  if (staleParts().length === 0) return;
  await holdLock(async () => {
    // Another process may have built in the meantime.
    const stale = staleParts();
    if (stale.length > 0)
      await build(
        stale,
        `Building ${stale.length === parts.length ? 'Limner' : stale.map(({ name }) => name).join(' and ')} … `,
      );
  });
}

/** Builds all parts, even if they are up to date. */
export const buildAnew = () => holdLock(() => build(parts, 'Building Limner … '));

/**
 * @param {typeof parts} wanted
 * @param {string} announcement
 */
async function build(wanted, announcement) {
  process.stderr.write(announcement);
  const started = performance.now();
  const digests = Object.fromEntries(wanted.map((part) => [part.name, sourceDigest(part)]));
  const program = wanted.map(({ name }) => name).filter((name) => name !== 'docs');
  const electronVite = [packageFile('electron-vite', 'bin/electron-vite.js'), 'build', '--logLevel', 'warn'];
  const vitePress = [packageFile('vitepress', 'bin/vitepress.js'), 'build', 'docs'];
  await Promise.all([
    ...(program.length > 0 ? [run(electronVite, { LIMNER_BUILD_PARTS: program.join(',') })] : []),
    ...(program.length < wanted.length ? [run(vitePress, {})] : []),
  ]);
  writeFileSync(stampFile, JSON.stringify({ ...builtFrom(), ...digests }));
  process.stderr.write(`done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

function staleParts() {
  if (!isCheckout) return [];
  const known = builtFrom();
  return parts.filter(
    (part) =>
      !part.outputs.every((output) => existsSync(join(projectRoot, output))) || known[part.name] !== sourceDigest(part),
  );
}

/** @returns {Record<string, string>} */
function builtFrom() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Depends on the name, size and modification time of every source file.
 * @param {(typeof parts)[number]} part
 */
function sourceDigest({ sources }) {
  const hash = createHash('sha256');
  for (const source of sources) addToDigest(hash, join(projectRoot, source), source);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 * @param {string} name
 */
function addToDigest(hash, path, name) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) {
    hash.update(`${name}\0${found.size}\0${found.mtimeMs}\n`);
    return;
  }
  for (const entry of readdirSync(path).sort()) addToDigest(hash, join(path, entry), `${name}/${entry}`);
}

/**
 * @param {readonly string[]} command of Node
 * @param {Readonly<Record<string, string>>} env
 * @returns {Promise<void>}
 */
function run(command, env) {
  return new Promise((resolve) => {
    const child = spawn(nodeExecutable(), command, {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const output = /** @type {Buffer[]} */ ([]);
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => fail(`\nCannot start the build: ${error.message}`));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      fail(
        `failed (${signal ?? `exit code ${code}`}).\n${shown(Buffer.concat(output).toString())}\nNothing was started.`,
      );
    });
  });
}

/** @param {string} text what the build tool wrote, which colours it for a terminal whatever it writes to */
function shown(text) {
  return process.stderr.isTTY ? text : stripVTControlCharacters(text);
}

/**
 * Prevents simultaneous builds, which would overwrite each other.
 * @param {() => Promise<void>} work
 */
async function holdLock(work) {
  mkdirSync(join(projectRoot, '.cache'), { recursive: true });
  let told = false;
  for (const started = performance.now(); ;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (!isHolderRunning() || performance.now() - started > longestBuildMs) rmSync(lockFile, { force: true });
    if (!told) process.stderr.write('Waiting for another build of Limner …\n');
    told = true;
    await sleep(200);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function isHolderRunning() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
