import { parseBody } from '../../preload/contract/client.ts';
import { errorFromAnswer, unreachable } from './api-error.ts';
import { reportConnection } from './connection.ts';
import { organizationContext } from './organization-context.ts';

const acceptHeader = 'application/vnd.cvat+json; version=2.0';

const cookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Lists and what is made anew depend on the organization that is worked in; a single thing is where it is. */
const dependsOnOrganization = (path: string): boolean =>
  /^\/api\/([\w-]+\/?|(projects|tasks)\/backup(\/.*)?)(\?|$)/.test(path);

/**
 * Headers of every call to the service: the answer's type, the proof against forged requests, and the organization
 * that the call is made in: its slug, empty for the personal space, null for wherever things are.
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

/** One call to the service. Throws ApiError for no answer and for a bad one; an abort stays an AbortError. */
export async function send(path: string, init: RequestInit = {}, organization?: string | null): Promise<Response> {
  let response: Response;
  try {
    const headers = { ...serviceHeaders(path, organization), ...(init.headers as Record<string, string> | undefined) };
    response = await fetch(path, { credentials: 'same-origin', ...init, headers });
  } catch (error) {
    if (wasCancelled(error)) throw error;
    reportConnection(true);
    throw unreachable();
  }
  reportConnection(false);
  if (!response.ok) throw errorFromAnswer(response.status, parseBody(await response.text().catch(() => '')));
  return response;
}

export interface UploadRequest {
  readonly method: 'POST' | 'PATCH' | 'HEAD';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body: XMLHttpRequestBodyInit | null;
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the body that have left so far. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

export interface UploadAnswer {
  readonly status: number;
  readonly body: unknown;
  header(name: string): string | null;
}

/** A call with upload progress, which fetch does not report. */
export function upload(request: UploadRequest): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const abort = (): void => call.abort();
    call.open(request.method, request.path);
    for (const [name, value] of Object.entries({ ...serviceHeaders(request.path), ...request.headers })) {
      call.setRequestHeader(name, value);
    }
    call.upload.addEventListener('progress', (event) => request.onSent?.(event.loaded));
    call.addEventListener('load', () => {
      reportConnection(false);
      const body = parseBody(call.responseText);
      if (call.status >= 400) reject(errorFromAnswer(call.status, body));
      else resolve({ status: call.status, body, header: (name) => call.getResponseHeader(name) });
    });
    call.addEventListener('error', () => {
      reportConnection(true);
      reject(unreachable());
    });
    call.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
    call.addEventListener('loadend', () => request.signal?.removeEventListener('abort', abort));
    request.signal?.addEventListener('abort', abort);
    if (request.signal?.aborted === true) abort();
    else call.send(request.body);
  });
}
