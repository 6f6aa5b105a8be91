import { gzipSync } from 'node:zlib';
import type { serverFileOperations } from '../../../preload/contract/operations/files.ts';
import { organizationRoles } from '../../../preload/contract/schema/people.ts';
import { groups } from '../../../preload/contract/schema/server.ts';
import type { Services } from '../../composition/services.ts';
import { accessTable } from '../../users/access/access-table.ts';
import type { SignIn } from '../../users/sign-in.ts';
import { cookie, setSessionCookies } from '../authentication.ts';
import { attachment } from '../file-answer.ts';
import type { RawHandlersOf } from '../handler.ts';
import { openapiDocument } from '../openapi.ts';
import { emptyAnswer, textAnswer } from '../responses.ts';
import { schemaPage } from '../schema-page.ts';

const usedUp =
  'This launch link was already used, or Limner was restarted. Open Limner again for a new link, or sign in ' +
  'with your password at the start page.';

/** A path of this service. `//host` and `/\\host` would lead to another site. */
const ownPage = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[!-~]*$/.test(next) ? next : '/';

const staticAnswer = (body: string | Uint8Array<ArrayBuffer>, contentType: string) =>
  new Response(body, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-cache' } });

export function createServerFileHandlers(
  { logs }: Pick<Services, 'logs'>,
  { sessions, launchTokens }: Pick<SignIn, 'sessions' | 'launchTokens'>,
): RawHandlersOf<typeof serverFileOperations> {
  const rules = new Uint8Array(gzipSync(JSON.stringify({ groups, roles: organizationRoles, rules: accessTable })));
  const written: { json?: string; yaml?: string } = {};
  const document = (): string => (written.json ??= JSON.stringify(openapiDocument()));
  const page = () => {
    const { paths } = JSON.parse(document()) as { readonly paths: Parameters<typeof schemaPage>[0] };
    return staticAnswer(schemaPage(paths), 'text/html; charset=utf-8');
  };
  return {
    async downloadReport({ actor }) {
      const bytes = new Uint8Array(await logs.pack(actor));
      return new Response(bytes, {
        headers: {
          'Content-Type': 'application/zip',
          'Content-Disposition': attachment(`limner-report-${new Date().toISOString().slice(0, 10)}.zip`),
          'Cache-Control': 'no-store',
        },
      });
    },
    downloadRules: () => staticAnswer(rules, 'application/gzip'),
    // Signs in once and redirects to the start page or to `next`, so that the token leaves the address bar.
    launch({ query, request: { raw } }) {
      // Neither HEAD requests nor prefetching browsers may use up the link.
      const isLookedAhead = raw.method !== 'GET' || /prefetch|prerender/i.test(raw.headers.get('Sec-Purpose') ?? '');
      if (isLookedAhead) return emptyAnswer(204);
      const headers = new Headers({ Location: ownPage(query.next), 'Cache-Control': 'no-store' });
      const userId = launchTokens.redeem(query.token ?? '');
      if (userId !== null) {
        setSessionCookies(headers, sessions.openSession(userId));
        return new Response(null, { status: 303, headers });
      }
      const key = cookie(raw.headers, 'sessionid');
      if (key !== undefined && sessions.bySession(key)) return new Response(null, { status: 303, headers });
      return textAnswer(usedUp, 403);
    },
    async getSchema({ query }) {
      const json = document();
      if (query.scheme !== 'yaml') return staticAnswer(json, 'application/vnd.oai.openapi+json');
      // Loaded on demand, because the start does not need it.
      const { stringify } = await import('yaml');
      written.yaml ??= stringify(JSON.parse(json), { aliasDuplicateObjects: false });
      return staticAnswer(written.yaml, 'application/vnd.oai.openapi');
    },
    getDocs: page,
    getSwagger: page,
  };
}
