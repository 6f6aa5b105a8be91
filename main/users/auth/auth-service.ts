import { randomBytes } from 'node:crypto';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Credentials } from '../access/actor.ts';
import type { UserRepository, UserRow } from '../accounts/user-repository.ts';
import type { AuthRepository } from './auth-repository.ts';
import type { PasswordCheck } from './password-check.ts';
import { randomSecret, secretHash, sameSecret } from './secrets.ts';

export interface Identity {
  readonly user: UserRow;
  readonly credentials: Credentials;
}

/** The values of the two cookies; the store has only a digest of the key. */
export interface OpenedSession {
  readonly key: string;
  readonly csrfToken: string;
}

interface Dependencies {
  readonly auth: AuthRepository;
  readonly users: UserRepository;
  readonly checkPassword: PasswordCheck;
  readonly clock: Clock;
  readonly nowMs: () => number;
}

export type AuthService = ReturnType<typeof createAuthService>;

const dayMs = 24 * 60 * 60 * 1000;
/** A session ends after this time without use. */
const sessionIdleMs = 14 * dayMs;
const keptTokensPerUser = 200;

export const unauthenticated = (message: string) => new AppError('unauthenticated', message);

/** Sign-in by password, sessions, tokens and HTTP Basic; personal access tokens have a separate service. */
export function createAuthService({ auth, users, checkPassword, clock, nowMs }: Dependencies) {
  /** Users by the digests of tokens that are valid until this process ends. */
  const processTokens = new Map<string, number>();

  function tokenUser(hash: string): UserRow {
    const userId = processTokens.get(hash);
    const user = userId === undefined ? auth.tokenUser(hash) : users.get(userId);
    if (!user) throw unauthenticated('Invalid token.');
    if (user.is_active !== 1) throw unauthenticated('User inactive or deleted.');
    return user;
  }

  function openSession(userId: number): OpenedSession {
    const session = { key: randomSecret(32), csrfToken: randomSecret(24) };
    const now = nowMs();
    auth.removeExpiredSessions(now);
    auth.insertSession({
      key_hash: secretHash(session.key),
      user_id: userId,
      csrf_token: session.csrfToken,
      created_ms: now,
      expires_ms: now + sessionIdleMs,
    });
    users.setLastLogin(userId, clock());
    return session;
  }

  function openToken(userId: number): string {
    const key = randomBytes(20).toString('hex');
    auth.insertToken(secretHash(key), userId, clock());
    auth.keepNewestTokens(userId, keptTokensPerUser);
    return key;
  }

  return {
    openSession,
    openToken,
    /**
     * A token for commands on this computer: never stored, and valid until the process ends, regardless of sign-outs.
     */
    openProcessToken(userId: number): string {
      const key = randomSecret(32);
      processTokens.set(secretHash(key), userId);
      return key;
    },

    /** @throws AppError 401 for an invalid or expired key */
    byToken(key: string): Identity {
      return { user: tokenUser(secretHash(key)), credentials: { kind: 'token' } };
    },

    /** Null for an unknown or ended session, so that other credentials can be tried. */
    bySession(key: string): Identity | null {
      const session = auth.session(secretHash(key));
      const now = nowMs();
      if (!session || session.expires_ms <= now) return null;
      const user = users.get(session.user_id);
      if (!user || user.is_active !== 1) return null;
      if (session.expires_ms - now < sessionIdleMs - dayMs) auth.extendSession(session.key_hash, now + sessionIdleMs);
      const { key_hash: keyHash, csrf_token: csrfToken } = session;
      return { user, credentials: { kind: 'session', keyHash, csrfToken } };
    },

    /** @throws AppError 401 for wrong credentials, 429 after too many of them */
    async byBasic(username: string, password: string): Promise<Identity> {
      const user = await checkPassword(users.named(username), username, password);
      if (!user) throw unauthenticated('Invalid username/password.');
      return { user, credentials: { kind: 'basic' } };
    },

    /** @throws AppError 403 */
    checkCsrf(expected: string, header: string | null): void {
      const reason = !header ? 'token missing' : sameSecret(expected, header) ? null : 'token incorrect';
      if (reason !== null) throw new AppError('forbidden', `CSRF Failed: CSRF ${reason}.`);
    },

    /** @throws AppError 400 for wrong credentials, 429 after too many of them */
    async login(input: { username?: string; email?: string; password: string }) {
      const named = input.username ? users.named(input.username) : undefined;
      const row = named ?? (input.email ? users.withEmail(input.email) : undefined);
      const user = await checkPassword(row, input.username ?? input.email ?? '', input.password);
      if (!user) throw invalidField('non_field_errors', 'Unable to log in with provided credentials.');
      return { key: openToken(user.id), session: openSession(user.id) };
    },

    /** Ends the current session and all login tokens of the user. */
    logout({ user, credentials }: Identity): void {
      if (credentials.kind === 'session') auth.removeSession(credentials.keyHash);
      if (credentials.kind !== 'access-token') auth.removeTokens(user.id);
    },
  };
}
