import { gzipSync } from 'node:zlib';
import { organizationRoles } from '../../preload/contract/schema/people.ts';
import { groups } from '../../preload/contract/schema/server.ts';
import { accessTable } from '../people/access/access-table.ts';
import type { PlainRoute } from './route.ts';

/** The permission rules as a gzip file of JSON, for whoever wants to check them outside. */
export function rulesRoute(): PlainRoute {
  const bundle = gzipSync(JSON.stringify({ groups, roles: organizationRoles, rules: accessTable }));
  return {
    method: 'GET',
    path: '/api/auth/rules',
    tag: 'auth',
    summary: 'The permission rules',
    statuses: [200],
    open: true,
    answer: () =>
      new Response(new Uint8Array(bundle), {
        headers: { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' },
      }),
  };
}
