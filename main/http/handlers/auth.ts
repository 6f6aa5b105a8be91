import type { serverOperations } from '../../../preload/contract/operations/server.ts';
import type { AccessTokenService } from '../../people/auth/access-token-service.ts';
import type { AccountService } from '../../people/auth/account-service.ts';
import type { AuthService } from '../../people/auth/auth-service.ts';
import { clearSessionCookies, setSessionCookies } from '../authentication.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

interface Dependencies {
  readonly sessions: AuthService;
  readonly accounts: AccountService;
  readonly accessTokens: AccessTokenService;
}

type AuthPart = Pick<
  typeof serverOperations,
  | 'login'
  | 'logout'
  | 'register'
  | 'changePassword'
  | 'listAccessTokens'
  | 'createAccessToken'
  | 'currentAccessToken'
  | 'getAccessToken'
  | 'updateAccessToken'
  | 'deleteAccessToken'
>;

export function createAuthHandlers({ sessions, accounts, accessTokens }: Dependencies): HandlersOf<AuthPart> {
  return {
    async login({ body, request }) {
      const { key, session } = await sessions.login(body);
      setSessionCookies(request.answerHeaders, session);
      return { key };
    },
    logout({ request }) {
      sessions.logout(request.identity);
      clearSessionCookies(request.answerHeaders);
      return { detail: 'Successfully logged out.' };
    },
    async register({ body }) {
      const { user, key } = await accounts.register(body);
      return {
        username: user.username,
        email: user.email,
        first_name: user.first_name,
        last_name: user.last_name,
        email_verification_required: false,
        key,
      };
    },
    async changePassword({ body, request }) {
      const passwords = { old: body.old_password, new1: body.new_password1, new2: body.new_password2 };
      await accounts.changePassword(request.identity, passwords);
      return { detail: 'New password has been saved.' };
    },
    listAccessTokens: listHandler(accessTokens.list),
    createAccessToken: ({ actor, body, request }) => accessTokens.create(actor, request.identity.credentials, body),
    currentAccessToken: ({ actor, request }) => accessTokens.current(actor, request.identity.credentials),
    getAccessToken: ({ actor, params }) => accessTokens.get(actor, params.id),
    updateAccessToken: ({ actor, params, body, request }) =>
      accessTokens.update(actor, request.identity.credentials, params.id, body),
    deleteAccessToken: ({ actor, params, request }) =>
      accessTokens.revoke(actor, request.identity.credentials, params.id),
  };
}
