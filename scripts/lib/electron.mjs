import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCheckout, nodeExecutable, projectRoot } from './project.mjs';

/** In the checkout, or beside the program if both were installed with npm. */
const packageFolder =
  (createRequire(join(projectRoot, 'package.json')).resolve.paths('electron') ?? [])
    .map((folder) => join(folder, 'electron'))
    .find((folder) => existsSync(join(folder, 'package.json'))) ?? join(projectRoot, 'node_modules', 'electron');
const pollMs = 500;
/** A download without data for this long has failed. A slow connection is no failure. */
const stallMs = 15_000;
/** An exit with an error within this time means that Electron cannot run on this machine. */
const earlyEndMs = 15_000;
/** Exit codes of the desktop shell itself, which has already told the user the reason. */
const ownExitCodes = new Set([0, 2, 3, 70]);

/**
 * Path of Electron's executable, downloaded if missing, or the reason why that is not possible.
 * @returns {Promise<{ path: string } | { reason: string, isExpected?: boolean }>}
 */
export async function findElectron() {
  if (!existsSync(join(packageFolder, 'package.json')))
    return { reason: 'its package is not installed', isExpected: !isCheckout };
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return { reason: 'there is no display' };
  }
  const present = installedExecutable();
  if (present) return { path: present };
  process.stderr.write('Downloading Electron (once, about 110 MB) …\n');
  const problem = await download();
  const fetched = installedExecutable();
  return fetched ? { path: fetched } : { reason: problem ?? 'the download contains no executable' };
}

function installedExecutable() {
  const pathFile = join(packageFolder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const executable = join(packageFolder, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(executable) ? executable : null;
}

/** @returns {Promise<string | null>} reason of the failure */
function download() {
  const folder = mkdtempSync(join(tmpdir(), 'limner-electron-'));
  return new Promise((resolve) => {
    const child = spawn(nodeExecutable(), [join(packageFolder, 'install.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    let size = -1;
    let changedAt = performance.now();
    let stalled = false;
    const timer = setInterval(() => {
      const now = folderSize(folder) + folderSize(join(packageFolder, 'dist'));
      if (now !== size) changedAt = performance.now();
      size = now;
      if (performance.now() - changedAt < stallMs) return;
      stalled = true;
      child.kill('SIGKILL');
    }, pollMs);
    const end = (/** @type {string | null} */ problem) => {
      clearInterval(timer);
      rmSync(folder, { recursive: true, force: true });
      resolve(problem);
    };
    child.on('error', (error) => end(error.message));
    child.on('close', (code) => {
      if (stalled) end('the download stalled');
      else end(code === 0 ? null : `the download failed: ${firstLine(errors)}`);
    });
  });
}

/** @param {string} folder @returns {number} */
function folderSize(folder) {
  let size = 0;
  try {
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      size += statSync(join(folder, entry), { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    return size;
  }
  return size;
}

/** @param {string} text */
function firstLine(text) {
  const line = text.split('\n').find((part) => part.trim() !== '');
  return (line ?? 'no reason given')
    .trim()
    .replace(/^\w*Error: /, '')
    .slice(0, 160);
}

/**
 * Runs the desktop shell until it exits.
 * @param {string} executable
 * @param {readonly string[]} args
 * @returns {Promise<{ exitCode: number } | { reason: string }>} the reason if Electron cannot run on this machine
 */
export function runElectron(executable, args) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(executable, [projectRoot, ...args], { stdio: ['inherit', 'inherit', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors = (errors + String(chunk)).slice(-8000);
      process.stderr.write(chunk);
    });
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    let isRequested = false;
    for (const signal of signals) {
      process.on(signal, () => {
        isRequested = true;
        forward(signal);
      });
    }
    child.on('error', (error) => resolve({ reason: error.message }));
    child.on('close', (code, signal) => {
      for (const name of signals) process.removeAllListeners(name);
      const isOwn = code !== null && ownExitCodes.has(code);
      const cannotRun = !isRequested && !isOwn && performance.now() - started < earlyEndMs;
      if (cannotRun) resolve({ reason: `it exited with ${signal ?? `code ${code}`}: ${firstLine(errors)}` });
      else resolve({ exitCode: code ?? 0 });
    });
  });
}
