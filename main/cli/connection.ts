import type { Command } from 'commander';
import { createLogger } from '../platform/log.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import { dataDirectoryPaths, defaultDataDirectory } from '../platform/paths.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { startInstance } from './instance.ts';
import { readLocalAccess } from './local-access.ts';

export interface ConnectionOptions {
  readonly dataDir?: string;
}

export function addConnectionOptions(command: Command): Command {
  return command.option('--data-dir <dir>', `data directory to work on (default: ${defaultDataDirectory()})`);
}

/**
 * Runs `work` with a client of the workbench on the chosen data directory: of the instance that runs on it now, or else
 * of one that is started in this process for as long as the work takes: `isPassing` then.
 */
export async function withClient<Result>(
  context: CliContext,
  options: ConnectionOptions,
  work: (client: ApiClient, isPassing: boolean) => Promise<Result>,
): Promise<Result> {
  const paths = dataDirectoryPaths(options.dataDir ?? defaultDataDirectory());
  const holder = readInstanceHolder(paths.lockFile);
  if (holder !== null) {
    const access = readLocalAccess(paths);
    if (access === null || holder.url === null) {
      throw new CommandError(
        exitCodes.refused,
        `Limner runs on ${paths.root} (process ${holder.pid}), but is not ready yet. Try again in a moment.`,
      );
    }
    return work(createApiClient(access.url, access.authorization), false);
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
