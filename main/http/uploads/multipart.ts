import { AppError } from '../../platform/errors.ts';

export interface MultipartPart {
  readonly name: string;
  /** Undefined for a plain field. Sent by the client, so it may be a path and must not be trusted. */
  readonly filename: string | undefined;
  /** Must be read before the next part is requested; unread bytes are skipped. */
  readonly body: AsyncIterable<Buffer>;
}

export interface MultipartLimits {
  readonly maxParts: number;
  readonly maxHeaderBytes: number;
}

const defaultMultipartLimits: MultipartLimits = { maxParts: 200_000, maxHeaderBytes: 16 * 1024 };

const lineBreak = '\r\n';
const headerEnd = Buffer.from('\r\n\r\n');
const closing = Buffer.from('--');

const malformed = (reason: string) => new AppError('invalid', `Multipart form parse error - ${reason}`);

/** Boundary of `multipart/form-data; boundary=…`; undefined for other media types. */
export function multipartBoundary(contentType: string | null): string | undefined {
  const parts = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '');
  const boundary = parts?.[1] ?? parts?.[2];
  return boundary !== undefined && boundary.length <= 200 ? boundary : undefined;
}

/**
 * Parses `multipart/form-data` (RFC 7578) as a stream. Memory use is one chunk, whatever the size of the files.
 * @throws AppError 400 for a body that is truncated or malformed, or that has too many parts
 */
export async function* readMultipart(
  source: AsyncIterable<Uint8Array>,
  boundary: string,
  limits: MultipartLimits = defaultMultipartLimits,
): AsyncGenerator<MultipartPart> {
  const reader = createReader(source, Buffer.from(`${lineBreak}--${boundary}`));
  await reader.pass();
  for (let count = 0; !(await reader.isClosed()); count += 1) {
    if (count >= limits.maxParts) throw malformed(`there are more than ${limits.maxParts} parts`);
    const headers = await reader.headers(limits.maxHeaderBytes);
    const disposition = contentDisposition(headers);
    const body = reader.body();
    yield { ...disposition, body };
    await reader.pass();
  }
}

function createReader(source: AsyncIterable<Uint8Array>, delimiter: Buffer) {
  const chunks = source[Symbol.asyncIterator]();
  // The first boundary has no line break before it; adding one makes it like the others.
  let buffer: Buffer = Buffer.from(lineBreak);
  let atDelimiter = false;

  async function fill(): Promise<void> {
    const next = await chunks.next();
    if (next.done === true) throw malformed('the body ends before its last boundary');
    const { buffer: memory, byteOffset, byteLength } = next.value;
    const chunk = Buffer.from(memory, byteOffset, byteLength);
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
  }

  /** Yields everything up to the next boundary and consumes that boundary. */
  async function* body(): AsyncGenerator<Buffer> {
    atDelimiter = false;
    for (;;) {
      const end = buffer.indexOf(delimiter);
      // A boundary may be split between chunks, so its possible beginning stays in the buffer.
      const sure = end < 0 ? Math.max(0, buffer.length - delimiter.length + 1) : end;
      const part = buffer.subarray(0, sure);
      buffer = buffer.subarray(end < 0 ? sure : end + delimiter.length);
      if (end >= 0) atDelimiter = true;
      if (part.length > 0) yield part;
      if (end >= 0) return;
      await fill();
    }
  }

  return {
    body,
    async pass(): Promise<void> {
      if (atDelimiter) return;
      for await (const rest of body()) void rest;
    },
    async isClosed(): Promise<boolean> {
      while (buffer.length < closing.length) await fill();
      return buffer.subarray(0, closing.length).equals(closing);
    },
    async headers(maxBytes: number): Promise<string> {
      for (;;) {
        const end = buffer.indexOf(headerEnd);
        if (end > maxBytes || (end < 0 && buffer.length > maxBytes))
          throw malformed('the headers of a part are too long');
        if (end >= 0) {
          const text = buffer.subarray(0, end).toString('utf8');
          buffer = buffer.subarray(end + headerEnd.length);
          atDelimiter = false;
          return text;
        }
        await fill();
      }
    },
  };
}

function contentDisposition(headers: string): { name: string; filename: string | undefined } {
  const line = headers.split(lineBreak).find((header) => /^content-disposition:/i.test(header)) ?? '';
  const name = parameter(line, 'name');
  if (name === undefined) throw malformed('a part has no name');
  return { name, filename: extendedParameter(line, 'filename') ?? parameter(line, 'filename') };
}

/**
 * Parses a quoted parameter as browsers and Python clients write it: quotes and line breaks percent-encoded,
 * backslashes literal (Windows paths). Also accepts quotes escaped by a backslash, unless the value ends there.
 */
function parameter(header: string, name: string): string | undefined {
  const escapedQuote = '\\\\"(?!\\s*(?:;|$))';
  const quoted = new RegExp(`;\\s*${name}="((?:${escapedQuote}|[^"])*)"`, 'i').exec(header)?.[1];
  if (quoted === undefined) return new RegExp(`;\\s*${name}=([^;"\\s]+)`, 'i').exec(header)?.[1];
  return quoted
    .replaceAll('\\"', '"')
    .replace(/%22|%0D|%0A/gi, (code) => ({ '%22': '"', '%0D': '\r', '%0A': '\n' })[code.toUpperCase()] ?? code);
}

/** RFC 5987: `filename*=UTF-8''na%C3%AFve.jpg`. */
function extendedParameter(header: string, name: string): string | undefined {
  const encoded = new RegExp(`;\\s*${name}\\*=utf-8'[^']*'([^;\\s]+)`, 'i').exec(header)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

const booleans: ReadonlySet<string> = new Set([
  'use_zip_chunks',
  'use_cache',
  'copy_data',
  'accept_damaged',
  'open_early',
]);
const lists: ReadonlySet<string> = new Set([
  'client_files',
  'server_files',
  'remote_files',
  'server_files_exclude',
  'upload_file_order',
]);

/**
 * Converts form fields to the JSON body that they represent. `name[3]` is an element of a list, known list names may
 * repeat, and Python's `True` and `False` become booleans.
 */
export function formBody(fields: readonly (readonly [string, string])[]): Record<string, unknown> {
  const plain = new Map<string, unknown>();
  const collected = new Map<string, { index: number; value: string }[]>();
  for (const [name, value] of fields) {
    const indexed = /^(\w+)\[(\d{1,7})\]$/.exec(name);
    const list = indexed?.[1] ?? name;
    if (!indexed && !lists.has(name)) {
      plain.set(name, booleans.has(name) ? /^(true|1|on)$/i.test(value) : value);
      continue;
    }
    const items = collected.get(list) ?? [];
    items.push({ index: Number(indexed?.[2] ?? items.length), value });
    collected.set(list, items);
  }
  for (const [name, items] of collected) {
    plain.set(
      name,
      items.sort((a, b) => a.index - b.index).map((item) => item.value),
    );
  }
  return Object.fromEntries(plain);
}
