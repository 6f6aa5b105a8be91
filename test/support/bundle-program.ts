import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleVariable, projectRoot } from './node-executable.ts';

/** Packages that load files beside them, or are rarely loaded, are not bundled. */
const external = ['better-sqlite3', 'sharp', 'piscina', 'dockerode', 'ssh2', 'electron-store', 'undici'];
/** Globals that CommonJS packages need inside a module. */
const banner =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Bundles the program into a few files before the suites that start it as a process. A start from hundreds of source
 * files takes three times the CPU time, and a run has hundreds of starts.
 */
export async function setup(): Promise<void> {
  if (process.env[bundleVariable] !== undefined) return;
  // As deep below the root as the sources and the build, because the program locates its resources relative to itself.
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

/** A parallel run may be reading the file. */
function replace(path: string, contents: Uint8Array): void {
  try {
    if (readFileSync(path).equals(contents)) return;
  } catch {}
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}
