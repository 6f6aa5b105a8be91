import { AppError } from '../platform/errors.ts';
import { requestBytes } from './request-bytes.ts';
import type { RequestContext } from './request-context.ts';

/** Limit for bodies that are read into memory. Files are streamed to disk and have their own limits. */
const maxBodyBytes = 100 * 1024 * 1024;

const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/vnd.cvat+json']);
export const isJson = (type: string): boolean => jsonTypes.has(type);

export function contentType(headers: Headers): string {
  return (headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export const unsupportedMediaType = (headers: Headers) =>
  new AppError('unsupported-media-type', `Unsupported media type "${headers.get('Content-Type') ?? ''}" in request.`);

function tooLarge(limitBytes: number): AppError {
  const message = `The request body is larger than ${Math.floor(limitBytes / 1024 / 1024)} MB. Nothing was changed.`;
  return new AppError('too-large', message);
}

/** Declared size of the body; undefined if it is sent in chunks. */
export function declaredLength(headers: Headers): number | undefined {
  const text = headers.get('Content-Length');
  return text === null ? undefined : Number(text);
}

export function hasBody(headers: Headers): boolean {
  return headers.has('Transfer-Encoding') || (declaredLength(headers) ?? 0) > 0;
}

/**
 * Returns the JSON body; `{}` without one.
 * @throws AppError 413, 415, or 400 `{ "detail": "JSON parse error - …" }`
 */
export async function readJson(request: Request, limitBytes = maxBodyBytes): Promise<unknown> {
  if (!hasBody(request.headers)) return {};
  if (!isJson(contentType(request.headers))) throw unsupportedMediaType(request.headers);
  const text = await readText(request, limitBytes);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = `JSON parse error - ${cause instanceof Error ? cause.message : 'the body is not valid JSON'}`;
    throw new AppError('invalid', message, { detail: message }, { cause });
  }
}

/**
 * The bytes of a body as they arrive.
 * @throws AppError 413
 */
export async function* bodyBytes(
  request: Pick<RequestContext, 'raw' | 'body'>,
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  if ((declaredLength(request.raw.headers) ?? 0) > limitBytes) throw tooLarge(limitBytes);
  let received = 0;
  for await (const part of requestBytes(request).pieces) {
    received += part.byteLength;
    if (received > limitBytes) throw tooLarge(limitBytes);
    yield part;
  }
}

async function readText(request: Request, limitBytes: number): Promise<string> {
  const length = declaredLength(request.headers);
  if (length !== undefined) {
    if (!(length <= limitBytes)) throw tooLarge(limitBytes);
    return request.text();
  }
  const parts: Uint8Array[] = [];
  for await (const part of bodyBytes({ raw: request, body: undefined }, limitBytes)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
