import type { Store } from '../db/store.ts';
import { createClock, type Clock } from '../platform/clock.ts';
import { createInvitationRepository } from './organizations/invitation-repository.ts';
import { createMembershipRepository } from './organizations/membership-repository.ts';
import type { OrganizationDependencies } from './organizations/organization-dependencies.ts';
import { createUserRepository } from './accounts/user-repository.ts';
import { createUserService } from './accounts/user-service.ts';
import { createAccessTokenService, type AccessTokenListener } from './auth/access-token-service.ts';
import { createAccountService } from './auth/account-service.ts';
import { createAuthRepository } from './auth/auth-repository.ts';
import { createAuthService } from './auth/auth-service.ts';
import { createInvitedAccounts } from './organizations/invited-accounts.ts';
import { createLaunchTokens } from './auth/launch-tokens.ts';
import { createOpenRequests } from './auth/open-requests.ts';
import { createPasswordCheck } from './auth/password-check.ts';
import { createPasswordResetService } from './auth/password-reset-service.ts';
import { createThrottle } from './auth/throttle.ts';

export interface SignInOptions {
  readonly database: Store;
  readonly clock?: Clock;
  readonly nowMs?: () => number;
  /** True if any user who can reach the service may register with group `user`. */
  readonly registrationOpen?: boolean;
  /** Wrong passwords and registrations per minute, of all clients together, before the response is 429. */
  readonly attemptsPerMinute?: number;
  /** Memberships change when an invited user registers, and when a user is deleted. */
  readonly changes: OrganizationDependencies['changes'];
  readonly onAccessToken?: AccessTokenListener;
  readonly baseUrl?: () => string;
}

export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(options: SignInOptions) {
  const {
    database,
    clock = createClock(),
    nowMs = Date.now,
    registrationOpen = true,
    attemptsPerMinute = 100,
  } = options;
  const { changes, baseUrl = () => '' } = options;
  const users = createUserRepository(database);
  const auth = createAuthRepository(database);
  const throttle = createThrottle(attemptsPerMinute, 60_000, nowMs);
  const checkPassword = createPasswordCheck({ throttle, nowMs });
  const sessions = createAuthService({ auth, users, checkPassword, clock, nowMs });
  const openRequests = createOpenRequests();
  const memberships = createMembershipRepository(database);
  const invited = createInvitedAccounts({
    invitations: createInvitationRepository(database),
    memberships,
    users,
    clock,
    changes,
    baseUrl,
  });
  return {
    sessions,
    openRequests,
    accounts: createAccountService({
      auth,
      users,
      sessions,
      checkPassword,
      throttle,
      clock,
      registrationOpen,
      invited,
      changes,
      baseUrl,
    }),
    passwordResets: createPasswordResetService({
      database,
      auth,
      users,
      throttle,
      clock,
      nowMs,
      onEnded: openRequests.end,
    }),
    accessTokens: createAccessTokenService({ auth, users, clock, onChange: options.onAccessToken }),
    users: createUserService({
      users,
      memberships,
      changes,
      onEnded: openRequests.end,
    }),
    userRepository: users,
    launchTokens: createLaunchTokens(nowMs),
  };
}
