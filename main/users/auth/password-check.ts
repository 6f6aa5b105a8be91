import { createHmac, randomBytes } from 'node:crypto';
import type { UserRow } from '../accounts/user-repository.ts';
import { verifyPassword } from './password-hash.ts';
import type { Throttle } from './throttle.ts';

export type PasswordCheck = (user: UserRow | undefined, username: string, password: string) => Promise<UserRow | null>;

const cacheMs = 10 * 60 * 1000;
const cacheSize = 50;

/**
 * Checks a password. Only wrong ones count for the throttle. HTTP Basic sends the password with every request and a
 * check takes some 50 ms, so correct pairs are cached for minutes, as a digest under a key of this process.
 */
export function createPasswordCheck({ throttle, nowMs }: { throttle: Throttle; nowMs: () => number }): PasswordCheck {
  const cacheKey = randomBytes(32);
  const good = new Map<string, { readonly passwordHash: string; readonly untilMs: number }>();
  const remember = (digest: string, passwordHash: string) => {
    const [oldest] = good.keys();
    if (oldest !== undefined && good.size >= cacheSize) good.delete(oldest);
    good.set(digest, { passwordHash, untilMs: nowMs() + cacheMs });
  };
  return async (user, username, password) => {
    const digest = createHmac('sha256', cacheKey)
      .update(JSON.stringify([username, password]))
      .digest('hex');
    const known = good.get(digest);
    if (user?.is_active === 1 && known && known.untilMs > nowMs() && known.passwordHash === user.password_hash) {
      return user;
    }
    const forgive = throttle.attempt();
    if (!(await verifyPassword(password, user?.password_hash)) || user?.is_active !== 1) return null;
    forgive();
    remember(digest, user.password_hash);
    return user;
  };
}
