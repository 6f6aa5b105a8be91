import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleVariable, projectRoot } from './node-executable.ts';

/** Packages that find files of their own beside them, or are seldom loaded: as they are. */
const external = ['better-sqlite3', 'sharp', 'piscina', 'dockerode', 'ssh2', 'electron-store', 'undici'];
/** What packages of the older kind ask for inside a module. */
const banner =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Before the suites that start the program as a process: its sources and their packages as a few files. A start from
 * the hundreds of them takes three times the processor time, and a run of the suites has hundreds of starts.
 */
export async function setup(): Promise<void> {
  if (process.env[bundleVariable] !== undefined) return;
  // As deep below the root as the sources and the build: the program finds its resources from where it lies.
  const folder = join(projectRoot, '.cache', 'program');
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: ['cli', 'worker', 'plugin-host'].map((entry) => `main/${entry}.ts`),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external,
    banner: { js: banner },
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) replace(path, contents);
  const names = new Set(outputFiles.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name));
  process.env[bundleVariable] = folder;
}

/** Another run beside this one may be reading it. */
function replace(path: string, contents: Uint8Array): void {
  try {
    if (readFileSync(path).equals(contents)) return;
  } catch {
    // There is none yet.
  }
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}
