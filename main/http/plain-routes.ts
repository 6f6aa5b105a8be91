import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { organizationRoles } from '../../preload/contract/schema/people.ts';
import { groups } from '../../preload/contract/schema/server.ts';
import { accessTable } from '../users/access/access-table.ts';
import type { SignIn } from '../users/sign-in.ts';
import type { Services } from '../composition/services.ts';
import { annotationFeedRoute, agentQueueRoute } from './event-routes.ts';
import { assetRoutes } from './asset-routes.ts';
import { detectRoute } from './detect-route.ts';
import { modelRoutes } from './model-routes.ts';
import type { PlainRoute } from './route.ts';
import { schemaRoutes } from './schema-routes.ts';
import { transferRoutes } from './transfer-routes.ts';
import type { UploadStore } from './uploads/upload-store.ts';
import type { AuthService } from '../users/auth/auth-service.ts';
import type { LaunchTokens } from '../users/auth/launch-tokens.ts';
import { cookie, setSessionCookies } from './authentication.ts';
import { emptyAnswer, textAnswer } from './responses.ts';

interface Dependencies {
  readonly core: Services;
  readonly signIn: SignIn;
  readonly uploads: UploadStore;
  readonly uploadDirectory: string;
}

export function createPlainRoutes({ core, signIn, uploads, uploadDirectory }: Dependencies): PlainRoute[] {
  const routes = [
    ...modelRoutes(core),
    ...transferRoutes(core, uploads),
    ...assetRoutes(core, uploadDirectory),
    detectRoute(core.formats, uploads, join(uploadDirectory, 'claimed')),
    annotationFeedRoute(core.listening),
    agentQueueRoute(core.functions.native),
    reportRoute(core),
    rulesRoute(),
    launchRoute(signIn.sessions, signIn.launchTokens),
  ];
  return [...routes, ...schemaRoutes(routes)];
}

const reportRoute = ({ logs }: Pick<Services, 'logs'>): PlainRoute => ({
  method: 'GET',
  path: '/api/limner/report/file',
  summary: 'Diagnostic report: a ZIP archive with the log and facts about the program',
  statuses: [200],
  async answer({ actor }) {
    const bytes = new Uint8Array(await logs.pack(actor));
    const name = `limner-report-${new Date().toISOString().slice(0, 10)}.zip`;
    return new Response(bytes, {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      },
    });
  },
});

function rulesRoute(): PlainRoute {
  const bundle = gzipSync(JSON.stringify({ groups, roles: organizationRoles, rules: accessTable }));
  return {
    method: 'GET',
    path: '/api/auth/rules',
    summary: 'The permission rules',
    statuses: [200],
    open: true,
    answer: () =>
      new Response(new Uint8Array(bundle), {
        headers: { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' },
      }),
  };
}

const usedUp =
  'This launch link was already used, or Limner was restarted. Open Limner again for a new link, or sign in ' +
  'with your password at the start page.';

/**
 * The URL that the shells open. Signs in once and redirects to the start page, so that the token leaves the address
 * bar.
 */
function launchRoute(sessions: AuthService, launchTokens: LaunchTokens): PlainRoute {
  return {
    method: 'GET',
    path: '/launch',
    summary: 'Sign in by a one-time launch link',
    statuses: [303],
    open: true,
    hidden: true,
    answer: ({ raw, url }) => {
      // Neither HEAD requests nor prefetching browsers may use up the link.
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
