import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { fail, nodeExecutable, packageFile, projectRoot } from './project.mjs';

const sources = [
  'main',
  'preload',
  'renderer',
  'electron.vite.config.ts',
  'scripts/third-party-notices.ts',
  'resources/licences',
  'package.json',
  'package-lock.json',
];
const outputs = [
  'out/main/cli.js',
  'out/main/worker.js',
  'out/main/desktop.js',
  'out/preload/index.js',
  'out/renderer/index.html',
  'out/THIRD-PARTY-NOTICES',
];
const stampFile = join(projectRoot, 'out', '.built-from');
const lockFile = join(projectRoot, '.cache', 'build.lock');
const longestBuildMs = 5 * 60_000;

/** Builds the program when an output is missing or a source changed since; says so on standard error. */
export async function ensureBuilt() {
  if (isFresh()) return;
  await holdLock(async () => {
    // Another process may have built while this one waited.
    if (isFresh()) return;
    await build('Building Limner (this happens once, and again when its sources change) … ');
  });
}

/** Builds the program, whether or not that is needed, and notes what of: nobody builds it under those who use it then. */
export const buildAnew = () => holdLock(() => build('Building Limner … '));

/** @param {string} announcement */
async function build(announcement) {
  process.stderr.write(announcement);
  const started = performance.now();
  const digest = sourceDigest();
  await runBuild();
  writeFileSync(stampFile, digest);
  process.stderr.write(`done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

function isFresh() {
  // An installed copy carries the output and no sources.
  if (!existsSync(join(projectRoot, 'electron.vite.config.ts'))) return true;
  if (!outputs.every((output) => existsSync(join(projectRoot, output)))) return false;
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceDigest();
}

/** Changes with every source file's name, size or time of change. */
function sourceDigest() {
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

/** @returns {Promise<void>} */
function runBuild() {
  const command = packageFile('electron-vite', 'bin/electron-vite.js');
  return new Promise((resolve) => {
    const child = spawn(nodeExecutable(), [command, 'build', '--logLevel', 'warn'], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = /** @type {Buffer[]} */ ([]);
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => fail(`\nThe build could not be started: ${error.message}`));
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
 * Two builds at once would write over each other.
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
    if (!told) process.stderr.write('Waiting for another build of Limner to end …\n');
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
