import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupOutcome, Backups } from '../../preload/contract/schema/backups.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import type { DataDirectory } from '../platform/paths.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import { ApiFailure } from './api-failure.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { readLocalAccess } from './local-access.ts';

const pollMs = 200;

/** Has the Limner that runs on the data directory make a backup or restore one, and waits for the end. */
export async function askRunning(
  paths: DataDirectory,
  title: string,
  start: (client: ApiClient) => Promise<unknown>,
  { errorOutput, stopSignal }: CliContext,
): Promise<BackupOutcome> {
  const client = clientOf(paths);
  if (client === null) {
    throw new CommandError(
      exitCodes.refused,
      `Limner runs on ${paths.root}, but is not ready yet. Try again in a moment.`,
    );
  }
  const before = (await client.call('getBackups', {})).last?.date;
  await start(client);
  const bar = createProgressBar(title, errorOutput);
  try {
    for (;;) {
      if (stopSignal.aborted) await cancel(paths);
      const state = await look(paths);
      if (state?.running) bar.update(state.running.progress, state.running.message);
      else if (state?.last && state.last.date !== before) return requireSuccess(state.last);
      await sleep(pollMs, undefined, { signal: stopSignal }).catch(() => undefined);
    }
  } finally {
    bar.finish();
  }
}

function clientOf(paths: DataDirectory): ApiClient | null {
  const access = readLocalAccess(paths);
  return access && createApiClient(access.url, access.authorization);
}

/** Null while the service begins anew, as a restore makes it do. */
async function look(paths: DataDirectory): Promise<Backups | null> {
  try {
    return (await clientOf(paths)?.call('getBackups', {})) ?? null;
  } catch (error) {
    if (error instanceof ApiFailure && error.status !== 401) throw error;
    if (readInstanceHolder(paths.lockFile) !== null) return null;
    const message = 'Limner ended meanwhile. Its log in the data directory says why; start it again.';
    throw new CommandError(exitCodes.failed, message, { cause: error });
  }
}

async function cancel(paths: DataDirectory): Promise<never> {
  const state = await clientOf(paths)
    ?.call('cancelBackup', {})
    .catch(() => null);
  throw new CommandError(exitCodes.interrupted, state?.last?.message ?? 'Interrupted.');
}

function requireSuccess(outcome: BackupOutcome): BackupOutcome {
  if (outcome.succeeded) return outcome;
  throw new CommandError(outcome.kind === 'restore' ? exitCodes.refused : exitCodes.failed, outcome.message);
}
