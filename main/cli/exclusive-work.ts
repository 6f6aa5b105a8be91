import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../platform/errors.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import type { DataDirectory } from '../platform/paths.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { runningClient } from './connection.ts';
import type { CliContext } from './context.ts';
import { ApiFailure, failed, interrupted, refused } from './exit-codes.ts';

interface WorkState<Outcome> {
  readonly running: { readonly progress: number; readonly message: string } | null;
  readonly last: (Outcome & { readonly date: string }) | null;
}

interface RunningWork<Outcome> {
  readonly title: string;
  readonly look: (client: ApiClient) => Promise<WorkState<Outcome>>;
  readonly start: (client: ApiClient) => Promise<unknown>;
  readonly cancel: (client: ApiClient) => Promise<string | undefined>;
  readonly saysWhy: string;
}

const pollMs = 200;

/** Starts the work in the running Limner and waits for its end; Limner may restart in between. */
export async function runInInstance<Outcome>(
  paths: DataDirectory,
  { title, look, start, cancel, saysWhy }: RunningWork<Outcome>,
  { errorOutput, stopSignal }: CliContext,
): Promise<Outcome> {
  const client = runningClient(paths);
  if (client === null) throw refused(`Limner on ${paths.root} is still starting. Try again in a moment.`);
  const before = (await look(client)).last?.date;
  // A restart within the process keeps the lock, so another holder is another process, which has lost the work.
  const holder = readInstanceHolder(paths.lockFile)?.id;
  await start(client);
  /** Returns null while the service starts or stops. */
  const stateNow = async (): Promise<WorkState<Outcome> | null> => {
    try {
      const now = runningClient(paths);
      return now && (await look(now));
    } catch (error) {
      if (error instanceof ApiFailure && error.status !== 401) throw error;
      return null;
    }
  };
  const bar = createProgressBar(title, errorOutput);
  try {
    for (;;) {
      if (stopSignal.aborted) {
        const now = runningClient(paths);
        throw interrupted((now && (await cancel(now).catch(() => undefined))) ?? 'Interrupted.');
      }
      const current = readInstanceHolder(paths.lockFile)?.id;
      const state = await stateNow();
      if (state?.last && state.last.date !== before) return state.last;
      const isLost = current === undefined || (current !== holder && state !== null);
      if (isLost) throw failed(`${title} did not finish: Limner was stopped. ${saysWhy}. Start Limner and try again.`);
      if (state?.running) bar.update(state.running.progress, state.running.message);
      await sleep(pollMs, undefined, { signal: stopSignal }).catch(() => undefined);
    }
  } finally {
    bar.finish();
  }
}

export async function withProgress<Result>(
  title: string,
  { errorOutput, stopSignal }: CliContext,
  work: (run: {
    readonly progress: (share: number, message?: string) => void;
    readonly checkCancelled: () => void;
  }) => Promise<Result>,
): Promise<Result> {
  const bar = createProgressBar(title, errorOutput);
  try {
    return await work({
      progress: (share, message) => bar.update(share, message),
      checkCancelled() {
        if (stopSignal.aborted) throw interrupted('Interrupted. Nothing was changed.');
      },
    });
  } catch (error) {
    throw asRefused(error);
  } finally {
    bar.finish();
  }
}

/** Errors of the input or the data directory become `refused`: they are not failures of the program. */
export const asRefused = (error: unknown): unknown =>
  error instanceof AppError && /^(invalid|forbidden|conflict)$/.test(error.code)
    ? refused(error.message, { cause: error })
    : error;
