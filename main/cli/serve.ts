import type { Command } from 'commander';
import { createLogger } from '../platform/log.ts';
import { dataDirectoryPaths, defaultDataDirectory } from '../platform/paths.ts';
import { createApiClient } from './api-client.ts';
import type { CliContext } from './context.ts';
import { pageOfNewTask } from './create-task.ts';
import { startInstance, type Instance } from './instance.ts';
import { parsePort } from './options.ts';
import { spawn } from 'node:child_process';

export interface ServeOptions {
  readonly dataDir?: string;
  readonly port?: number;
  readonly dashboardPort?: number;
  readonly password?: string;
  readonly open: boolean;
  readonly plain?: boolean;
  readonly openDamaged?: boolean;
}

export function addServeCommand(program: Command, context: CliContext): void {
  const command = program
    .command('serve')
    .summary('run the workbench without a window and open it in the browser')
    .description(
      'Runs the workbench until it is interrupted. Prints one line of JSON to standard output when it is ready:\n' +
        '  {"url", "dashboardUrl", "dataDir", "user", "launchUrl"}; launchUrl signs in the first visitor as the owner.\n' +
        'Writes messages to standard error and to the folder "logs" of the data directory.',
    )
    .option('--plain', 'print plain text instead of JSON');
  addServeOptions(command).action((options: ServeOptions) => serve(options, context));
}

/** Options of the commands that run the workbench. */
export const addServeOptions = (command: Command): Command =>
  command
    .option('--data-dir <dir>', `data directory (default: ${defaultDataDirectory()})`)
    .option('--port <number>', 'port of the workbench; 0: any free port (default: 8080, or a free one)', parsePort)
    .option(
      '--dashboard-port <number>',
      'port of the function dashboard; 0: any free port (default: 8070, or a free one)',
      parsePort,
    )
    .option(
      '--password <text>',
      'set the password of the owner "admin"; alternative: the environment variable LIMNER_PASSWORD',
    )
    .option('--open-damaged', 'open a damaged store to export data that can still be read')
    .option('--no-open', 'do not open the browser');

/** @param path images from which to create a task, whose page opens instead of the start page */
export async function serve(options: ServeOptions, context: CliContext, path?: string): Promise<void> {
  const dataDirectory = options.dataDir ?? defaultDataDirectory();
  const paths = dataDirectoryPaths(dataDirectory);
  const log = createLogger({ directory: paths.logs });
  // Standard error may be discarded, so fatal errors are logged too.
  process.on('uncaughtExceptionMonitor', (error, origin) =>
    log.error('Limner stops because of an unexpected error', { error, origin }),
  );
  // Browsers take as long to start as the service. With a path, the page is known only once its task is created.
  let opening: Promise<boolean> | null = null;
  const openEarly = (launchUrl: string): Promise<boolean> => (opening = openInBrowser(launchUrl));
  const instance = await startInstance({
    application: context.application,
    dataDirectory: paths.root,
    port: options.port ?? null,
    dashboardPort: options.dashboardPort ?? null,
    password: options.password ?? process.env['LIMNER_PASSWORD'] ?? null,
    acceptDamage: options.openDamaged === true,
    openEarly: options.open && path === undefined ? openEarly : undefined,
    log,
  });
  try {
    if (!context.stopSignal.aborted) await announce(instance, options, context, { path, opening });
    await aborted(context.stopSignal);
    log.info('Stopping');
  } finally {
    await instance.stop();
    log.close();
  }
}

async function announce(
  instance: Instance,
  options: ServeOptions,
  context: CliContext,
  { path, opening }: { readonly path: string | undefined; readonly opening: Promise<boolean> | null },
): Promise<void> {
  const { url, dashboardUrl, user, dataDirectory } = instance;
  const launchUrl = path === undefined ? instance.launchUrl : await launchWithImages(instance, path, context);
  if (options.plain) {
    context.print(`Limner is running at ${url}`);
    context.print(`The function dashboard is running at ${dashboardUrl}`);
    context.print(`Open this address to sign in (works once): ${launchUrl}`);
    context.print('Press Ctrl+C to stop.');
  } else context.print(JSON.stringify({ url, dashboardUrl, dataDir: dataDirectory, user, launchUrl }));
  if (!options.open) return;
  const opened = await (opening ?? openInBrowser(launchUrl));
  if (!opened) context.errorOutput.write(`Cannot open a browser. Open this address yourself: ${launchUrl}\n`);
}

async function launchWithImages(instance: Instance, path: string, context: CliContext): Promise<string> {
  const page = await pageOfNewTask(createApiClient(instance.url, instance.authorization), path, context);
  return `${instance.launchUrl}&next=${encodeURIComponent(page)}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` takes the first quoted argument as a window title, so an empty one comes first.
  win32: ['cmd', '/c', 'start', ''],
};

export async function openInBrowser(address: string): Promise<boolean> {
  const [command, ...args] = commands[process.platform] ?? ['xdg-open'];
  return await new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
