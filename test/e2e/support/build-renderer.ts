import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { repository } from './paths.ts';

const newest = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

/** The part of Vite and electron-vite that is used: both are loaded by path, so that types do not need their DOM library. */
interface Builder {
  build(config: object): Promise<unknown>;
}
interface ConfigLoader {
  loadConfigFromFile(env: object, file: string): Promise<{ config: { renderer: { build: object } } }>;
}

async function build(): Promise<void> {
  const target = join(repository, 'out/renderer');
  const built = join(target, 'index.html');
  const sources = ['renderer', 'preload/contract'].map((folder) => newest(join(repository, folder)));
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources)) return;
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(repository, 'node_modules', path)).href);
  const { loadConfigFromFile } = (await load('electron-vite/dist/index.js')) as ConfigLoader;
  const vite = (await load('vite/dist/node/index.js')) as Builder;
  const environment = { command: 'build', mode: 'production' };
  const { config } = await loadConfigFromFile(environment, join(repository, 'electron.vite.config.ts'));
  // Built aside and moved into place whole: a server that is running never serves a half-written folder.
  const outDir = `${target}-${process.pid}`;
  const options = { ...config.renderer.build, outDir, target: 'es2024' };
  // The test runner says "test", which would build the development version of React.
  const environmentName = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  await vite.build({ ...config.renderer, mode: 'production', configFile: false, logLevel: 'warn', build: options });
  process.env['NODE_ENV'] = environmentName;
  rmSync(target, { recursive: true, force: true });
  renameSync(outDir, target);
}

/** Builds the help if its sources are newer. */
async function buildHelp(): Promise<void> {
  const built = join(repository, 'out/docs/index.html');
  const sources = ['docs', 'resources/screenshots'].map((folder) => newest(join(repository, folder)));
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources)) return;
  const vitepress = join(repository, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'docs'], {
    cwd: repository,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

let building: Promise<void> | undefined;

/** Builds the screens into out/renderer, once per run, if their sources are newer. */
export const buildRenderer = (): Promise<void> => (building ??= build());

/** Runs before the files of the suite start in parallel, so that none of them builds. */
export async function setup(): Promise<void> {
  await Promise.all([buildRenderer(), buildHelp()]);
}
