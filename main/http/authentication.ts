import { AppError } from '../platform/errors.ts';
import type { AccessTokenService } from '../users/auth/access-token-service.ts';
import { unauthenticated, type AuthService, type Identity, type OpenedSession } from '../users/auth/auth-service.ts';
import type { OpenRequests } from '../users/auth/open-requests.ts';

export interface Authenticators {
  readonly sessions: AuthService;
  readonly accessTokens: AccessTokenService;
  readonly openRequests: OpenRequests;
}

/** Exports use POST but change nothing. */
const exportPath = /^\/api\/(?:(?:projects|tasks|jobs)\/\d+\/(?:dataset|backup)|events)\/export\/?$/;
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** Browsers limit cookies to 400 days. The store decides when a session ends. */
const cookieSeconds = 400 * 24 * 60 * 60;

/**
 * Identifies the user by token, personal access token, session or HTTP Basic, in this order. Returns null without
 * credentials.
 * @throws AppError 401 for wrong credentials; 403 for an unsafe request by session without its CSRF token, or by a
 * read-only token
 */
export async function authenticate(
  { sessions, accessTokens }: Pick<Authenticators, 'sessions' | 'accessTokens'>,
  { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
): Promise<Identity | null> {
  const [scheme = '', value = ''] = (headers.get('Authorization') ?? '').trim().split(/\s+/, 2);
  const isUnsafe = !safeMethods.has(method);
  switch (scheme.toLowerCase()) {
    case 'token':
      return sessions.byToken(value);
    case 'bearer': {
      const identity = accessTokens.authenticate(value);
      const isReadOnly = identity.credentials.kind === 'access-token' && identity.credentials.readOnly;
      if (isReadOnly && isUnsafe && !exportPath.test(new URL(url).pathname)) throw readOnlyToken();
      return identity;
    }
    default: {
      const key = cookie(headers, 'sessionid');
      const identity = key === undefined ? null : sessions.bySession(key);
      if (identity?.credentials.kind === 'session') {
        if (isUnsafe) sessions.checkCsrf(identity.credentials.csrfToken, headers.get('X-CSRFToken'));
        return identity;
      }
      return scheme.toLowerCase() === 'basic' ? basic(sessions, value) : null;
    }
  }
}

const readOnlyToken = () => new AppError('forbidden', 'This access token is read-only.');

function basic(sessions: AuthService, value: string): Promise<Identity> {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw unauthenticated('Invalid basic header. Credentials not correctly base64 encoded.');
  return sessions.byBasic(text.slice(0, colon), text.slice(colon + 1));
}

export function cookie(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.get('Cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** The page's scripts read the CSRF token; the session key is HttpOnly. */
export function setSessionCookies(headers: Headers, session: OpenedSession): void {
  const common = `Path=/; SameSite=Strict; Max-Age=${cookieSeconds}`;
  headers.append('Set-Cookie', `sessionid=${session.key}; HttpOnly; ${common}`);
  headers.append('Set-Cookie', `csrftoken=${session.csrfToken}; ${common}`);
}

/** Clears only cookies that were sent: a client that signed in by token would otherwise store empty ones. */
export function clearSessionCookies(headers: Headers, sent: Headers): void {
  const ended = 'expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/; SameSite=Strict';
  if (cookie(sent, 'sessionid') !== undefined) headers.append('Set-Cookie', `sessionid=""; HttpOnly; ${ended}`);
  if (cookie(sent, 'csrftoken') !== undefined) headers.append('Set-Cookie', `csrftoken=""; ${ended}`);
}
