import type { Readable } from 'node:stream';
import type { Actor } from '../people/access/actor.ts';
import { unauthenticated, type Identity } from '../people/auth/auth-service.ts';

/** A request beyond its parsed parts, for handlers that need its headers or its stream. */
export interface RequestContext {
  readonly requestId: string;
  readonly raw: Request;
  /** The body without the copies that `raw.body` makes; undefined where the app is asked without a server. */
  readonly body: Readable | undefined;
  readonly url: URL;
  /** For example `http://127.0.0.1:8080`: absolute addresses in answers begin with it. */
  readonly baseUrl: string;
  /** Aborted when the client goes away, or may not go on: deactivated, deleted, given another password. */
  readonly signal: AbortSignal;
  /** Asking for it on an open route, where nobody proved anything, answers 401. */
  readonly identity: Identity;
  readonly actor: Actor;
  /** For headers that a handler adds to its answer. */
  readonly answerHeaders: Headers;
  /** Those that were added, if any were. */
  readonly addedHeaders: Headers | undefined;
}

interface Parts {
  readonly requestId: string;
  readonly raw: Request;
  readonly identity: Identity | null;
  readonly organization: Actor['organization'];
  /** Aborted when the person is shut out. */
  readonly isEnded?: () => AbortSignal;
  readonly body?: Readable | undefined;
}

export function createRequestContext(parts: Parts): RequestContext {
  const { requestId, raw, identity, organization, isEnded, body } = parts;
  // Most requests need neither, and both cost more than what else is done here.
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
    // Asked for only where it is needed: the server makes a controller for it.
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

/** Addresses of requests are absolute: the scheme, `://`, the host. */
function originOf(address: string): string {
  const end = address.indexOf('/', address.indexOf('://') + 3);
  return end < 0 ? address : address.slice(0, end);
}
