import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import { dataDirectoryPaths, defaultDataDirectory } from '../platform/paths.ts';
import { runningClient } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { pageOfNewTask } from './create-task.ts';
import { addServeOptions, openInBrowser, serve, type ServeOptions } from './serve.ts';

interface OpenOptions extends ServeOptions {
  readonly browser?: boolean;
}

export function addOpenCommand(program: Command, context: CliContext): void {
  const command = program
    .command('open')
    .summary('open Limner; also the command without a name: limner [path]')
    .description(
      'Opens Limner in its window, or in the browser if Electron is not available. With a path, creates a task from ' +
        'its images, which are used in place, and opens it.',
    )
    .argument('[path]', 'folder, image, video or archive')
    .option('--browser', 'use the browser even if Electron is available');
  addServeOptions(command).action((path: string | undefined, options: OpenOptions) => open(path, options, context));
}

async function open(path: string | undefined, options: OpenOptions, context: CliContext): Promise<void> {
  if (options.browser !== true && options.open) {
    const exitCode = await openWindow(context, path === undefined ? options : { ...options, path: resolve(path) });
    if (exitCode !== null) {
      process.exitCode = exitCode;
      return;
    }
  }
  const paths = dataDirectoryPaths(options.dataDir ?? defaultDataDirectory());
  const client = readInstanceHolder(paths.lockFile) === null ? null : runningClient(paths);
  if (client === null) return serve({ ...options, plain: true }, context, path);
  const page = path === undefined ? '/' : await pageOfNewTask(client, path, context);
  const address = new URL(page, client.baseUrl).href;
  context.print(`Limner is already running. Opening ${address}`);
  if (options.open) await openInBrowser(address);
}

interface WindowLauncher {
  findElectron(): Promise<{ readonly path: string } | { readonly reason: string; readonly isExpected?: boolean }>;
  runElectron(
    executable: string,
    args: readonly string[],
  ): Promise<{ readonly exitCode: number } | { readonly reason: string }>;
}

/** Runs the window until it is closed. Returns null if Electron is not available. */
async function openWindow(
  context: CliContext,
  { dataDir, port, dashboardPort, password, path }: OpenOptions & { readonly path?: string },
): Promise<number | null> {
  const file = join(context.application.root, 'scripts', 'lib', 'electron.mjs');
  // The installers contain only the window itself.
  if (!existsSync(file)) return null;
  const { findElectron, runElectron } = (await import(pathToFileURL(file).href)) as WindowLauncher;
  const found = await findElectron();
  const values = { 'data-dir': dataDir, port, 'dashboard-port': dashboardPort, password };
  const args = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  const result =
    'path' in found ? await runElectron(found.path, [...args, ...(path === undefined ? [] : [path])]) : found;
  if ('exitCode' in result) return result.exitCode;
  // Packages for npm and pip do not contain Electron.
  if (!('isExpected' in result && result.isExpected === true))
    note(context, `Cannot use Electron (${result.reason}). Opening Limner in the browser instead.`);
  return null;
}
