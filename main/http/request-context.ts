import type { Readable } from 'node:stream';
import type { Actor } from '../users/access/actor.ts';
import { unauthenticated, type Identity } from '../users/auth/auth-service.ts';

/** Context of a request for handlers that need more than its parsed parts, such as headers or the stream. */
export interface RequestContext {
  readonly requestId: string;
  readonly raw: Request;
  /** The body without the copies that `raw.body` makes; undefined if the app is called without a server. */
  readonly body: Readable | undefined;
  readonly url: URL;
  /** For example `http://127.0.0.1:8080`. Absolute URLs in answers begin with it. */
  readonly baseUrl: string;
  /** Aborted if the client disconnects, or if the user is deactivated, deleted or gets a new password. */
  readonly signal: AbortSignal;
  /** Reading it on an open route answers 401, because the request is not authenticated. */
  readonly identity: Identity;
  readonly actor: Actor;
  readonly answerHeaders: Headers;
  readonly addedHeaders: Headers | undefined;
}

interface Parts {
  readonly requestId: string;
  readonly raw: Request;
  readonly identity: Identity | null;
  readonly organization: Actor['organization'];
  /** Aborted if the user's access ends. */
  readonly isEnded?: () => AbortSignal;
  readonly body?: Readable;
}

export function createRequestContext(parts: Parts): RequestContext {
  const { requestId, raw, identity, organization, isEnded, body } = parts;
  // Created on demand: most requests need none of them, and they cost more than the rest of this function.
  const made: { url?: URL; headers?: Headers; signal?: AbortSignal } = {};
  const baseUrl = originOf(raw.url);
  const known = (): Identity => {
    if (!identity) throw unauthenticated('Authentication credentials were not provided.');
    return identity;
  };
  return {
    requestId,
    raw,
    body,
    baseUrl,
    get url() {
      return (made.url ??= new URL(raw.url));
    },
    get answerHeaders() {
      return (made.headers ??= new Headers());
    },
    get addedHeaders() {
      return made.headers;
    },
    // Read only on demand, because the server creates an AbortController for it.
    get signal() {
      return (made.signal ??= isEnded ? AbortSignal.any([raw.signal, isEnded()]) : raw.signal);
    },
    get identity() {
      return known();
    },
    get actor() {
      const { user, credentials } = known();
      return {
        userId: user.id,
        username: user.username,
        group: user.group_name,
        organization,
        readOnly: credentials.kind === 'access-token' && credentials.readOnly,
        baseUrl,
      };
    },
  };
}

/** Origin of a request's URL, which is always absolute. */
function originOf(address: string): string {
  const end = address.indexOf('/', address.indexOf('://') + 3);
  return end < 0 ? address : address.slice(0, end);
}
