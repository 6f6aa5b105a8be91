import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { createLogger } from '../platform/log.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import { dataDirectoryPaths, defaultDataDirectory, type DataDirectory } from '../platform/paths.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import type { CliContext } from './context.ts';
import { refused } from './exit-codes.ts';
import { startInstance } from './instance.ts';
import { readLocalAccess } from './local-access.ts';

export interface ConnectionOptions {
  readonly dataDir?: string;
}

export function addConnectionOptions(command: Command): Command {
  return command.option('--data-dir <dir>', `data directory to use (default: ${defaultDataDirectory()})`);
}

const pathsOf = ({ dataDir = defaultDataDirectory() }: ConnectionOptions): DataDirectory => dataDirectoryPaths(dataDir);

/** Paths of a data directory that must exist. Otherwise a mistyped folder would become a new, empty workbench. */
export function existingPaths(options: ConnectionOptions, remedy = ''): DataDirectory {
  const paths = pathsOf(options);
  if (existsSync(paths.root)) return paths;
  throw refused(`The data directory ${paths.root} does not exist.${remedy} Nothing was changed.`);
}

/**
 * Runs `work` with a client of the workbench on the chosen data directory: the running instance, or one that is started
 * in this process while `work` runs (`isPassing`).
 */
export async function withClient<Result>(
  context: CliContext,
  options: ConnectionOptions,
  work: (client: ApiClient, isPassing: boolean) => Promise<Result>,
): Promise<Result> {
  const paths = pathsOf(options);
  const holder = readInstanceHolder(paths.lockFile);
  if (holder !== null) {
    const client = runningClient(paths);
    if (client === null || holder.url === null) {
      throw refused(`Limner on ${paths.root} (process ${holder.pid}) is still starting. Try again in a moment.`);
    }
    return work(client, false);
  }
  const log = createLogger({ directory: paths.logs, consoleLevel: 'warn' });
  const instance = await startInstance({
    application: context.application,
    dataDirectory: paths.root,
    port: 0,
    dashboardPort: 0,
    password: null,
    log,
  });
  try {
    return await work(createApiClient(instance.url, instance.authorization), true);
  } finally {
    await instance.stop();
    log.close();
  }
}

/** Client of the instance that runs on the data directory; null while it is not ready. */
export function runningClient(paths: DataDirectory): ApiClient | null {
  const access = readLocalAccess(paths);
  return access && createApiClient(access.url, access.authorization);
}
