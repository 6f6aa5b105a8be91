import type { Store } from '../../db/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../access/access-rules.ts';
import { accessTokenMayNot, type Actor, type Credentials } from '../access/actor.ts';
import type { UserRepository } from '../accounts/user-repository.ts';
import { passwordsDiffer } from './account-service.ts';
import type { AuthRepository } from './auth-repository.ts';
import { requireGoodPassword, hashPassword } from './password-hash.ts';
import { randomSecret, secretHash } from './secrets.ts';
import type { Throttle } from './throttle.ts';

export type PasswordResetService = ReturnType<typeof createPasswordResetService>;

/** The client sends both values with the new password. */
export interface PasswordReset {
  readonly uid: string;
  readonly token: string;
  readonly expiry_date: string;
}

const lifetimeMs = 24 * 60 * 60 * 1000;

const noMail =
  'No mail was sent: Limner works offline. An administrator of this workbench can create a password reset; the ' +
  'password of the owner is set by starting Limner with --password.';

/** Resets of forgotten passwords: an admin creates the link, because there is no mail. */
export function createPasswordResetService(dependencies: {
  readonly database: Store;
  readonly auth: AuthRepository;
  readonly users: UserRepository;
  readonly throttle: Throttle;
  readonly clock: Clock;
  readonly nowMs: () => number;
  /** Called when the user has a new password, to end open requests. */
  readonly onEnded: (userId: number) => void;
}) {
  const { database, auth, users, throttle, clock, nowMs, onEnded } = dependencies;
  return {
    /** Returns the same text for every address, so that accounts cannot be probed. */
    request(): string {
      throttle.attempt();
      return noMail;
    },

    /** Admins only. Invalidates an earlier link of the same user. */
    create(actor: Actor, credentials: Credentials, userId: number): PasswordReset {
      if (credentials.kind === 'access-token') throw accessTokenMayNot('reset passwords');
      requireAllowed(actor, 'user', 'reset:password', noFacts);
      const user = users.get(userId);
      if (!user || user.is_placeholder === 1) throw notFound();
      const token = randomSecret(32);
      const expiresMs = nowMs() + lifetimeMs;
      auth.putPasswordReset(secretHash(token), userId, expiresMs);
      const expiry = new Date(expiresMs).toISOString().replace('Z', '000Z');
      return { uid: String(userId), token, expiry_date: expiry };
    },

    /** Ends every session and token of the user; personal access tokens unless the user keeps them. */
    async confirm(input: {
      readonly uid: string;
      readonly token: string;
      readonly new1: string;
      readonly new2: string;
      readonly keepsAccessTokens: boolean;
    }): Promise<void> {
      const forgive = throttle.attempt();
      if (input.new1 !== input.new2) throw passwordsDiffer('new_password2');
      requireGoodPassword('new_password2', input.new1);
      const hash = secretHash(input.token);
      const isGood = () => {
        const reset = auth.passwordReset(hash);
        return reset !== undefined && String(reset.user_id) === input.uid && reset.expires_ms > nowMs();
      };
      if (!isGood()) throw invalidField('token', 'Invalid value');
      const passwordHash = await hashPassword(input.new1);
      database.write(() => {
        // It may have been used while the password was hashed.
        if (!isGood()) throw invalidField('token', 'Invalid value');
        const userId = Number(input.uid);
        auth.removePasswordReset(userId);
        users.setPassword(userId, passwordHash);
        auth.removeOtherSessions(userId, '');
        auth.removeTokens(userId);
        if (!input.keepsAccessTokens) auth.revokeAccessTokens(userId, clock());
      });
      onEnded(Number(input.uid));
      forgive();
    },
  };
}
