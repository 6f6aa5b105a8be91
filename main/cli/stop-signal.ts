import { exitCodes } from './exit-codes.ts';

/**
 * The terminal signals every process of a command, and npm forwards its own signal. Signals within this time count as
 * one.
 */
const sameWishMs = 1000;

/** Aborted by the first SIGINT, SIGTERM or SIGHUP. A later signal ends the process at once. */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) {
        firstAt = performance.now();
        controller.abort(name);
      } else if (performance.now() - firstAt > sameWishMs) process.exit(exitCodes.interrupted);
    });
  }
  return controller.signal;
}
