import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** False in an installed copy, which contains the output but no sources. */
export const isCheckout = existsSync(join(projectRoot, 'electron.vite.config.ts'));

/** Minimum Node version: the sources are TypeScript, which Node runs directly. */
const neededNodeMajor = 24;

export function isNodeNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= neededNodeMajor;
}

/**
 * Path of a recent enough Node: the running one, or the one from node_modules.
 * @returns {string}
 */
export function nodeExecutable() {
  if (isNodeNewEnough()) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const candidates = [
    join(projectRoot, 'node_modules', 'node', 'bin', name),
    join(projectRoot, 'node_modules', '.bin', name),
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found) return found;
  if (!isCheckout)
    fail(`Limner requires Node.js ${neededNodeMajor} or newer, but this is ${process.versions.node}. Update Node.js.`);
  fail(
    `Node ${neededNodeMajor} is required, but this is Node ${process.versions.node} and the packages that contain it are not installed. ` +
      'Run "npm ci" in the folder of Limner first.',
  );
}

/**
 * Path of a file of an installed package.
 * @param {string} name
 * @param {string} file
 * @returns {string}
 */
export function packageFile(name, file) {
  // Not by module resolution, because some packages do not export their package.json.
  const folder = join(projectRoot, 'node_modules', name);
  if (!existsSync(folder)) fail(`The package ${name} is not installed. Run "npm ci" in the folder of Limner first.`);
  return join(folder, file);
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
