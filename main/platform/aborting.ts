/** Resolves with the work's result, or rejects as soon as the signal is aborted. The work continues, and its outcome is ignored. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

/** Runs work with a signal that is aborted some time after the given one, so that a started step can end. */
export async function withGrace<Result>(
  signal: AbortSignal,
  graceMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => controller.abort(signal.reason), graceMs);
  };
  signal.addEventListener('abort', start, { once: true });
  if (signal.aborted) start();
  try {
    return await work(controller.signal);
  } finally {
    signal.removeEventListener('abort', start);
    clearTimeout(timer);
  }
}
