import { AppError, invalidField } from '../../platform/errors.ts';
import type { Changes } from '../../db/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { UserRepository, UserRow } from '../accounts/user-repository.ts';
import type { AuthRepository } from './auth-repository.ts';
import { accessTokenMayNot } from '../access/actor.ts';
import type { AuthService, Identity } from './auth-service.ts';
import { requireGoodPassword, hashPassword, noPassword, verifyPassword } from './password-hash.ts';
import type { PasswordCheck } from './password-check.ts';
import type { Throttle } from './throttle.ts';

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password1: string;
  readonly password2: string;
  readonly first_name: string;
  readonly last_name: string;
  /** Key of an invitation to a user without an account: this registration creates the account. */
  readonly invitation?: string;
}

interface Dependencies {
  readonly auth: AuthRepository;
  readonly users: UserRepository;
  readonly sessions: Pick<AuthService, 'openToken'>;
  readonly checkPassword: PasswordCheck;
  readonly throttle: Throttle;
  readonly clock: Clock;
  readonly changes: Changes<'user'>;
  readonly baseUrl: () => string;
  /** True if any user who can reach the service may register. */
  readonly registrationOpen: boolean;
  /** Turns an invitation's placeholder into an account; returns its id. */
  readonly invited: { takeOver(key: string, person: Registration, passwordHash: string): number };
}

export function createAccountService(dependencies: Dependencies) {
  const { auth, users, sessions, checkPassword, throttle, clock, registrationOpen, invited, changes, baseUrl } =
    dependencies;

  function stored(id: number): UserRow {
    const user = users.get(id);
    if (!user) throw new Error(`User ${id} is not in the store.`);
    return user;
  }

  return {
    /** Adds a local user of group `user`; an invited user immediately becomes a member of the inviting organization. */
    async register(input: Registration): Promise<{ user: UserRow; key: string }> {
      if (!registrationOpen && input.invitation === undefined) throw registrationClosed();
      throttle.attempt();
      requireGoodPassword('password1', input.password1);
      if (input.password1 !== input.password2) throw passwordsDiffer('non_field_errors');
      const passwordHash = await hashPassword(input.password1);
      if (input.invitation !== undefined) {
        const id = invited.takeOver(input.invitation, input, passwordHash);
        return { user: stored(id), key: sessions.openToken(id) };
      }
      if (users.named(input.username)) throw invalidField('username', 'A user with that username already exists.');
      if (input.email !== '' && users.withEmail(input.email)) {
        throw invalidField('email', 'A user is already registered with this e-mail address.');
      }
      const person = {
        username: input.username,
        email: input.email,
        first_name: input.first_name,
        last_name: input.last_name,
        password_hash: passwordHash,
        group_name: 'user',
        is_staff: 0,
        is_superuser: 0,
        date_joined: clock(),
      } as const;
      const id = changes.run({ userId: null, baseUrl: baseUrl() }, {}, () => {
        const created = users.insert(person);
        changes.created({ userId: created, baseUrl: baseUrl() }, 'user', [created]);
        return created;
      });
      return { user: stored(id), key: sessions.openToken(id) };
    },

    /** Ends all other sessions and tokens of the user. */
    async changePassword(identity: Identity, input: { old: string; new1: string; new2: string }): Promise<void> {
      const { user, credentials } = identity;
      if (credentials.kind === 'access-token') throw accessTokenMayNot('change the password');
      if (input.new1 !== input.new2) throw passwordsDiffer('new_password2');
      requireGoodPassword('new_password2', input.new1);
      if (!(await checkPassword(user, user.username, input.old))) {
        const message = 'Your old password was entered incorrectly. Please enter it again.';
        throw invalidField('old_password', message);
      }
      users.setPassword(user.id, await hashPassword(input.new1));
      auth.removeOtherSessions(user.id, credentials.kind === 'session' ? credentials.keyHash : '');
      auth.removeTokens(user.id);
    },

    /**
     * Creates the owner account `admin` at the first start. Its password is `password`, or none that could be known. A
     * given password replaces the old one.
     */
    async ensureOwner(password?: string): Promise<UserRow> {
      const existing = users.owner();
      if (!existing) {
        const id = users.insert({
          username: 'admin',
          email: '',
          first_name: '',
          last_name: '',
          password_hash: password === undefined ? noPassword : await hashPassword(password),
          group_name: 'admin',
          is_staff: 1,
          is_superuser: 1,
          date_joined: clock(),
        });
        return stored(id);
      }
      if (password !== undefined && !(await verifyPassword(password, existing.password_hash))) {
        users.setPassword(existing.id, await hashPassword(password));
        auth.removeOtherSessions(existing.id, '');
        auth.removeTokens(existing.id);
      }
      return stored(existing.id);
    },
  };
}

const registrationClosed = () =>
  new AppError('forbidden', 'Registration is disabled on this workbench. Ask its owner for an account.');

export const passwordsDiffer = (field: string) => invalidField(field, 'The two password fields didn’t match.');
