import { AppError } from '../../platform/errors.ts';

export interface Throttle {
  /**
   * Counts an attempt before it runs; returns a function that removes it after a success.
   * @throws AppError 429; its cause has `retryAfterSeconds`
   */
  attempt(): () => void;
}

export function throttled(retryAfterSeconds: number): AppError {
  const message = `Request was throttled. Expected available in ${retryAfterSeconds} seconds.`;
  return new AppError('throttled', message, { detail: message }, { cause: { retryAfterSeconds } });
}

/**
 * At most `limit` attempts in any window. Shared by all clients, because all requests come from loopback. Attempts in
 * the future, left by a clock that was set back, do not count, so that they lock no one out.
 */
export function createThrottle(limit: number, windowMs: number, now: () => number): Throttle {
  let attempts: { readonly at: number }[] = [];
  return {
    attempt() {
      const time = now();
      attempts = attempts.filter(({ at }) => at > time - windowMs && at <= time);
      const [oldest] = attempts;
      if (oldest && attempts.length >= limit) throw throttled(Math.ceil((oldest.at + windowMs - time) / 1000));
      const attempt = { at: time };
      attempts.push(attempt);
      return () => {
        attempts = attempts.filter((one) => one !== attempt);
      };
    },
  };
}
