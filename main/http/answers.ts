import { securityHeaders } from './security-headers.ts';

/** The media type of every JSON answer. */
export const mediaType = 'application/vnd.cvat+json';

export function jsonAnswer(body: unknown, status = 200, headers?: Headers): Response {
  return bytesAnswer(JSON.stringify(body), status, headers);
}

type WrittenBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** JSON that is written already. */
export function bytesAnswer(json: WrittenBody, status: number, headers?: Headers): Response {
  const answer = new Response(json, { status, headers: { 'Content-Type': mediaType, 'Cache-Control': 'no-store' } });
  headers?.forEach((value, name) => answer.headers.append(name, value));
  return answer;
}

const completeHeaders = {
  ...Object.fromEntries(securityHeaders),
  'Content-Type': mediaType,
  'Cache-Control': 'no-store',
};

/**
 * The same with all headers that an answer has. The server writes an answer whose headers nobody looks at straight from
 * this object, in half the time.
 */
export const completeAnswer = (json: WrittenBody, status: number, requestId: string): Response =>
  new Response(json, { status, headers: { ...completeHeaders, 'X-Request-Id': requestId } });

export function textAnswer(text: string, status: number): Response {
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

export function emptyAnswer(status: number, headers?: Headers): Response {
  const answer = new Response(null, { status });
  headers?.forEach((value, name) => answer.headers.append(name, value));
  return answer;
}
