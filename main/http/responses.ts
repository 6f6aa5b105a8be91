const contentSecurityPolicy = (frameAncestors: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    `frame-ancestors ${frameAncestors}`,
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** Headers of every answer. `Access-Control-Allow-Origin` is never sent. */
export const securityHeaders: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', contentSecurityPolicy("'none'")],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=()'],
];

/** Headers of pages that the program shows in a frame of its window, instead of those in `securityHeaders`. */
export const framedPageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy("'self'"),
  'X-Frame-Options': 'SAMEORIGIN',
};

export const mediaType = 'application/vnd.cvat+json';

export function jsonAnswer(body: unknown, status = 200, headers?: Headers): Response {
  return bytesAnswer(JSON.stringify(body), status, headers);
}

type WrittenBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

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
 * Same with all headers set in advance. The server writes such an answer straight from this object, in half the time,
 * unless something reads its headers.
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
