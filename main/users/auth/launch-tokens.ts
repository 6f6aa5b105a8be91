import { randomSecret, secretHash } from './secrets.ts';

const lifetimeMs = 24 * 60 * 60 * 1000;
const maxOutstanding = 32;

export interface LaunchTokens {
  /** A new token (256 bit) that signs `userId` in once, within a day, while this process runs. Never log it. */
  issue(userId: number, token?: string): string;
  /** The user whom the token signs in, or null. A token works once. */
  redeem(token: string): number | null;
}

/**
 * One-time tokens that the shells add to the address they open, so that users need not sign in on their own machine.
 */
export function createLaunchTokens(now: () => number = Date.now): LaunchTokens {
  const outstanding = new Map<string, { readonly userId: number; readonly expiresMs: number }>();
  return {
    issue(userId, token = randomSecret(32)) {
      const [oldest] = outstanding.keys();
      if (oldest !== undefined && outstanding.size >= maxOutstanding) outstanding.delete(oldest);
      outstanding.set(secretHash(token), { userId, expiresMs: now() + lifetimeMs });
      return token;
    },
    redeem(token) {
      const hash = secretHash(token);
      const launch = outstanding.get(hash);
      outstanding.delete(hash);
      return launch && launch.expiresMs > now() ? launch.userId : null;
    },
  };
}
