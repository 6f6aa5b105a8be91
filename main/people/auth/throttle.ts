import { AppError } from '../../platform/errors.ts';

export interface Throttle {
  /**
   * Counts an attempt before it is made and returns the way to take it back when it was a good one.
   * @throws AppError 429; its cause carries `retryAfterSeconds`
   */
  attempt(): () => void;
}

export function throttled(retryAfterSeconds: number): AppError {
  const message = `Request was throttled. Expected available in ${retryAfterSeconds} seconds.`;
  return new AppError('throttled', message, { detail: message }, { cause: { retryAfterSeconds } });
}

/**
 * At most `limit` attempts in any window. Everybody on this machine shares it: all requests come from loopback. Attempts
 * of the future, which a clock that was set back leaves behind, do not count: nobody is locked out until it catches up.
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
