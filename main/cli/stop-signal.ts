import { exitCodes } from './exit-codes.ts';

/** A terminal signals every process of a command, and npm passes its own on: these are one wish to stop. */
const sameWishMs = 1000;

/** Aborted at the first SIGINT, SIGTERM or SIGHUP; one that comes later, while the stop takes long, ends at once. */
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
