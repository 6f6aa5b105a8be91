import type { AuthService } from '../people/auth/auth-service.ts';
import type { LaunchTokens } from '../people/auth/launch-tokens.ts';
import { cookie, setSessionCookies } from './authentication.ts';
import { emptyAnswer, textAnswer } from './answers.ts';
import type { PlainRoute } from './route.ts';

const usedUp =
  'This launch link was used already, or Limner was started again since. Open Limner again for a new one, or sign in ' +
  'with your password at the start page.';

/** The address that the shells open: signs in once and goes on to the start page, so that the token leaves the address. */
export function launchRoute(sessions: AuthService, launchTokens: LaunchTokens): PlainRoute {
  return {
    method: 'GET',
    path: '/launch',
    tag: 'auth',
    summary: 'Sign in by a one-time launch link',
    statuses: [303],
    open: true,
    hidden: true,
    answer: ({ raw, url }) => {
      // Neither a HEAD request nor a browser that looks ahead may use the link up.
      const isLookedAhead = raw.method !== 'GET' || /prefetch|prerender/i.test(raw.headers.get('Sec-Purpose') ?? '');
      if (isLookedAhead) return emptyAnswer(204);
      const headers = new Headers({ Location: '/', 'Cache-Control': 'no-store' });
      const userId = launchTokens.redeem(url.searchParams.get('token') ?? '');
      if (userId !== null) {
        setSessionCookies(headers, sessions.openSession(userId));
        return new Response(null, { status: 303, headers });
      }
      const key = cookie(raw.headers, 'sessionid');
      if (key !== undefined && sessions.bySession(key)) return new Response(null, { status: 303, headers });
      return textAnswer(usedUp, 403);
    },
  };
}
