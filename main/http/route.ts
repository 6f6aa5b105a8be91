import type { Context } from 'hono';
import { organizationContext } from '../users/accounts/organization-context.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { Logger } from '../platform/log.ts';
import { unauthenticated } from '../users/auth/auth-service.ts';
import { authenticate, type Authenticators } from './authentication.ts';
import { createRequestContext, type RequestContext } from './request-context.ts';
import type { Connection } from './unauthenticated-body.ts';

export interface Environment {
  Variables: {
    requestId: string;
    isComplete?: boolean;
  };
  /** Empty if the app is called without a server. */
  Bindings: Partial<Connection>;
}
export type HttpContext = Context<Environment>;

export interface RouteDependencies {
  readonly authenticators: Authenticators;
  readonly users: UserRepository;
  readonly log: Logger;
}

/**
 * Authenticates the request and determines the organization context. Open routes ignore credentials, so that a stale
 * cookie does not prevent signing in.
 * @throws AppError 400, 401, 403, 404
 */
export async function openRequest(
  { authenticators, users }: RouteDependencies,
  context: HttpContext,
  isOpen: boolean,
): Promise<RequestContext> {
  const { raw } = context.req;
  const requestId = context.get('requestId');
  if (isOpen) return createRequestContext({ requestId, raw, identity: null, organization: { kind: 'all' } });
  const identity = await authenticate(authenticators, raw);
  if (!identity) throw unauthenticated('Authentication credentials were not provided.');
  context.env?.proven?.();
  const organization = organizationContext(users, identity.user, {
    slug: context.req.query('org'),
    id: context.req.query('org_id'),
    header: raw.headers.get('X-Organization') ?? undefined,
    // Users see their own requests with any organization filter.
    isFilter: context.req.path === '/api/requests',
  });
  const isEnded = () => authenticators.openRequests.signalOf(identity.user.id);
  return createRequestContext({ requestId, raw, identity, organization, isEnded, body: context.env?.body });
}

export function routerPatterns(template: string): string[] {
  const pattern = template
    .replace(/\{(\w+)\.\.\.\}/g, ':$1{.+}')
    .replace(/\{file_id\}/g, ':file_id{[0-9]+_[0-9a-f-]+}')
    .replace(/\{(\w+)\}/g, ':$1');
  return pattern.length > 1 && pattern.endsWith('/') ? [pattern, pattern.slice(0, -1)] : [pattern];
}
