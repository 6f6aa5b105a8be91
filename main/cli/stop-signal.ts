import { exitCodes } from './exit-codes.ts';

/** Aborted at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      controller.abort(name);
    });
  }
  return controller.signal;
}
