import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../platform/errors.ts';

export type Content =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly path: string; readonly sizeBytes: number };

export interface FileAnswer {
  readonly content: Content;
  readonly contentType: string;
  /** Opaque, without quotes. Lets clients revalidate (304) and resume a broken download. */
  readonly etag?: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bytes per write to a socket. Limits how long the copy blocks other requests. */
const pieceBytes = 256 * 1024;

interface Range {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/**
 * Answers with the full content, a range (`Range`) or 304 (`If-None-Match`). Several ranges are answered with the full
 * content, as HTTP allows.
 */
export function fileAnswer(request: Request, answer: FileAnswer): Response {
  const { content, contentType, cacheControl } = answer;
  const sizeBytes = 'bytes' in content ? content.bytes.byteLength : content.sizeBytes;
  const etag = answer.etag === undefined ? undefined : `"${answer.etag}"`;
  const headers = new Headers({ ...answer.headers, 'Cache-Control': cacheControl, 'Accept-Ranges': 'bytes' });
  if (etag !== undefined) headers.set('ETag', etag);
  if (etag !== undefined && matches(request.headers.get('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const range = wantedRange(request.headers, etag, sizeBytes);
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${sizeBytes}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set('Content-Type', contentType);
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  headers.set('Content-Length', String(last - first + 1));
  if (range) headers.set('Content-Range', `bytes ${first}-${last}/${sizeBytes}`);
  const body = request.method === 'HEAD' ? null : bodyOf(content, first, last);
  return new Response(body, { status: range ? 206 : 200, headers });
}

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}

/** Returns undefined for the full content. */
function wantedRange(
  headers: Headers,
  etag: string | undefined,
  sizeBytes: number,
): Range | 'unsatisfiable' | undefined {
  const header = headers.get('Range');
  const ifRange = headers.get('If-Range');
  if (header === null || (ifRange !== null && ifRange !== etag)) return undefined;
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!parts || (parts[1] === '' && parts[2] === '')) return undefined;
  const [start, end] = [parts[1] ?? '', parts[2] ?? ''];
  if (start === '') {
    const length = Math.min(Number(end), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { first: sizeBytes - length, last: sizeBytes - 1 };
  }
  const first = Number(start);
  const last = end === '' ? sizeBytes - 1 : Math.min(Number(end), sizeBytes - 1);
  if (end !== '' && Number(end) < first) return undefined;
  return first >= sizeBytes ? 'unsatisfiable' : { first, last };
}

function bodyOf(content: Content, first: number, last: number): ConstructorParameters<typeof Response>[0] {
  if (last < first) return null;
  if ('path' in content) return ReadableStream.from(partsOf(content.path, first, last));
  const bytes = content.bytes.subarray(first, last + 1);
  return bytes.byteLength <= pieceBytes ? bytes : ReadableStream.from(piecesOf(bytes));
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
    await nextTurn();
  }
}

/**
 * Reads a file in chunks. The server's adapter writes error messages into a broken answer, so they must not contain a
 * path.
 */
async function* partsOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { start, end, highWaterMark: pieceBytes });
  } catch (cause) {
    throw new Error('Cannot read the file to its end.', { cause });
  }
}

/** @throws AppError 404 if the file no longer exists */
export async function fileContent(path: string): Promise<{ content: Content; etag: string }> {
  try {
    const file = await open(path);
    try {
      const { size, mtimeMs } = await file.stat();
      const etag = `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`;
      return { content: { path, sizeBytes: size }, etag };
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new AppError('not-found', 'This file no longer exists.', undefined, { cause });
  }
}

/**
 * Restricts `name` to the characters that clients of this API accept: ASCII letters, digits, dots, dashes, spaces and
 * underscores.
 */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_\-. ]/g, '_');
  return `attachment; filename="${plain}"`;
}
