import { AppError } from '../platform/errors.ts';
import { requestBytes } from './request-bytes.ts';

/** Limit for bodies that are read into memory. Files are streamed to disk and have their own limits. */
const maxBodyBytes = 100 * 1024 * 1024;

const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/vnd.cvat+json']);

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
function declaredLength(headers: Headers): number | undefined {
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
  if (!jsonTypes.has(contentType(request.headers))) throw unsupportedMediaType(request.headers);
  const text = await readText(request, limitBytes);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = `JSON parse error - ${cause instanceof Error ? cause.message : 'the body is not valid JSON'}`;
    throw new AppError('invalid', message, { detail: message }, { cause });
  }
}

async function readText(request: Request, limitBytes: number): Promise<string> {
  const length = declaredLength(request.headers);
  if (length !== undefined) {
    if (!(length <= limitBytes)) throw tooLarge(limitBytes);
    return request.text();
  }
  const parts: Uint8Array[] = [];
  let received = 0;
  for await (const part of requestBytes({ raw: request, body: undefined }).pieces) {
    received += part.byteLength;
    if (received > limitBytes) throw tooLarge(limitBytes);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
