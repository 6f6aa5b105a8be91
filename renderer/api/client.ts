import { createCall, type Call, parseBody } from '../../preload/contract/client.ts';
import { errorFromAnswer, unreachable } from './api-error.ts';
import { reportConnection } from './connection.ts';
import { organizationContext } from './organization-context.ts';

interface CallExtras {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Record<string, string>;
  /** Lets a small request outlive the page. */
  readonly keepalive?: boolean;
  /** Slug that overrides the active organization; null for any organization. */
  readonly organization?: string | null;
}

/** Calls one operation of the contract; throws ApiError. */
export const call: Call<CallExtras> = createCall<CallExtras>(
  ({ target, headers, ...request }, { organization, signal, ...extras }) => {
    const init = { ...request, ...extras, signal: signal ?? null, headers: { ...headers, ...extras.headers } };
    return send(target, init, organization);
  },
);

const acceptHeader = 'application/vnd.cvat+json; version=2.0';

const cookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Lists and new objects depend on the active organization; an existing object is found anywhere. */
const dependsOnOrganization = (path: string): boolean =>
  /^\/api\/([\w-]+\/?|(projects|tasks)\/backup(\/.*)?)(\?|$)/.test(path);

/**
 * Headers of every call: response type, CSRF token, and the organization: a slug, empty for the personal workspace,
 * null for any.
 */
function serviceHeaders(path: string, given?: string | null): Record<string, string> {
  const token = cookie('csrftoken');
  const organization = given === undefined && dependsOnOrganization(path) ? organizationContext() : (given ?? null);
  return {
    Accept: acceptHeader,
    ...(token === undefined ? {} : { 'X-CSRFToken': token }),
    ...(organization === null ? {} : { 'X-Organization': organization }),
  };
}

export const wasCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Delays before retries of reading calls, milliseconds: a network change ends all requests, even local ones. */
const rests = [200, 1000, 2000];

const rest = (ms: number, signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });

async function answered(path: string, init: RequestInit): Promise<Response> {
  for (let lost = 0; ; lost += 1) {
    try {
      const response = await fetch(path, init);
      reportConnection(false);
      return response;
    } catch (error) {
      if (wasCancelled(error)) throw error;
      const ms = (init.method ?? 'GET') === 'GET' ? rests[lost] : undefined;
      // A success at the second attempt was no visible interruption.
      if (lost > 0 || ms === undefined) reportConnection(true);
      if (ms === undefined) throw unreachable();
      await rest(ms, init.signal);
    }
  }
}

/**
 * One call to the service. Throws ApiError without a response or for an error status; an abort remains an AbortError.
 */
export async function send(path: string, init: RequestInit = {}, organization?: string | null): Promise<Response> {
  const headers = { ...serviceHeaders(path, organization), ...(init.headers as Record<string, string> | undefined) };
  const response = await answered(path, { credentials: 'same-origin', ...init, headers });
  if (!response.ok) throw errorFromAnswer(response.status, parseBody(await response.text().catch(() => '')));
  return response;
}

export interface UploadRequest {
  readonly method: 'POST' | 'PATCH' | 'HEAD';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body: XMLHttpRequestBodyInit | null;
  readonly signal?: AbortSignal | undefined;
  readonly onSent?: ((bytes: number) => void) | undefined;
}

export interface UploadAnswer {
  readonly status: number;
  readonly body: unknown;
  header(name: string): string | null;
}

export function upload(request: UploadRequest): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    const abort = (): void => sent.abort();
    sent.open(request.method, request.path);
    for (const [name, value] of Object.entries({ ...serviceHeaders(request.path), ...request.headers })) {
      sent.setRequestHeader(name, value);
    }
    sent.upload.addEventListener('progress', (event) => request.onSent?.(event.loaded));
    sent.addEventListener('load', () => {
      reportConnection(false);
      const body = parseBody(sent.responseText);
      if (sent.status >= 400) reject(errorFromAnswer(sent.status, body));
      else resolve({ status: sent.status, body, header: (name) => sent.getResponseHeader(name) });
    });
    sent.addEventListener('error', () => {
      reportConnection(true);
      reject(unreachable());
    });
    sent.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
    sent.addEventListener('loadend', () => request.signal?.removeEventListener('abort', abort));
    request.signal?.addEventListener('abort', abort);
    if (request.signal?.aborted === true) abort();
    else sent.send(request.body);
  });
}
