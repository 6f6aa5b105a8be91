import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';
import { AppError } from '../../platform/errors.ts';
import type { Source, SourceFile } from './source.ts';
import { endOfWholeCharacters } from './utf8-characters.ts';

/** Names of Windows code pages that the Encoding Standard (and so Node) does not list. */
const codePages: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  cp65001: 'utf-8',
};
/** Large enough to detect an encoding, small enough to be fast. */
const sampleBytes = 256 * 1024;
const lineFeed = 0x0a;

/** True for text files that cannot state their encoding. XML declares its own. */
const isText = (path: string): boolean =>
  /\.(?:txt|csv|tsv|ya?ml|names|data|labels|pbtxt|ini|cfg|lst|list)$/i.test(path);
const isJsonLines = (path: string): boolean => /\.(?:jsonl|ndjson)$/i.test(path);
const isJson = (path: string): boolean => /\.json$/i.test(path);

/** Node's name of an encoding. Throws `AppError('invalid')` for an unknown one. */
function checkedEncoding(name: string): string {
  const key = name.trim().toLowerCase();
  try {
    return new TextDecoder(codePages[key] ?? key).encoding;
  } catch (cause) {
    throw new AppError(
      'invalid',
      `"${name.slice(0, 100)}" is not a known text encoding. Use a name such as utf-8, windows-1252, gbk or shift_jis.`,
      undefined,
      { cause },
    );
  }
}

type Options = Readonly<Record<string, unknown>>;

/** The import option `encoding` as {@link checkedEncoding} names it. */
export function statedEncoding({ encoding }: Options): string | undefined {
  return typeof encoding === 'string' && encoding !== '' ? checkedEncoding(encoding) : undefined;
}

/** Adds the import option `encoding` to the file, because it also applies to names in a zip archive. */
export const withEncoding = (file: SourceFile, options: Options): SourceFile => ({
  ...file,
  encoding: statedEncoding(options),
});

/** Encoding stated by a byte order mark, or UTF-16 by the zero bytes of ASCII characters. */
function markedEncoding(head: Uint8Array): string | undefined {
  const [first, second, third, fourth] = head;
  if (first !== 0 && third !== 0 && second === 0 && fourth === 0) return 'utf-16le';
  if (second !== 0 && fourth !== 0 && first === 0 && third === 0) return 'utf-16be';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 'utf-8' : undefined;
}

export function canDecode(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The most likely encoding of bytes that are not UTF-8. */
function likelyEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  // A sample may end within a character.
  const end = sample.length < bytes.length ? sample.lastIndexOf(lineFeed) + 1 : 0;
  const pairs = likelyNameEncoding(end > 0 ? sample.subarray(0, end) : sample);
  if (pairs !== undefined) return pairs;
  return analyse(sample)
    .flatMap(({ name }) => {
      try {
        return [new TextDecoder(name).encoding];
      } catch {
        return [];
      }
    })
    .find((encoding) => encoding !== 'utf-8' && canDecode(sample, encoding));
}

/** ASCII and byte pairs of GB 2312, the core of GBK. Names in other encodings rarely consist of such pairs only. */
// oxlint-disable-next-line no-control-regex -- the range is that of ASCII
const chinesePairs = /^(?:[\0-\x7f]|[\xa1-\xa9\xb0-\xf7][\xa1-\xfe])*$/;
const leastConfidence = 50;

/** Likely encoding of names that are not UTF-8. Undefined for the zip default, code page 437. */
export function likelyNameEncoding(bytes: Uint8Array): string | undefined {
  // Single-byte encodings cannot be told apart by a few letters.
  const [pairs] = analyse(bytes).filter(({ name }) => /^(?:shift_jis|big5|euc-|gb)/i.test(name));
  if (pairs && pairs.confidence >= leastConfidence && canDecode(bytes, pairs.name))
    return new TextDecoder(pairs.name).encoding;
  return chinesePairs.test(Buffer.from(bytes).toString('latin1')) ? 'gbk' : undefined;
}

function refusal(file: string, sample: Uint8Array): AppError {
  const likely = likelyEncoding(sample);
  const guess = likely === undefined ? '' : ` It looks like ${likely}.`;
  return new AppError(
    'invalid',
    `Cannot read ${file}: its text is not UTF-8.${guess} Choose its text encoding (--encoding ${likely ?? 'NAME'} on the command line) and import again. Nothing was imported.`,
  );
}

const notInEncoding = (file: string, encoding: string, cause: unknown): AppError =>
  new AppError(
    'invalid',
    `Cannot read ${file} as ${encoding}: it has bytes that are invalid in this encoding. Choose another text encoding. Nothing was imported.`,
    undefined,
    { cause },
  );

/** Decodes bytes without a byte order mark; `file` is for the error message if they do not match the encoding. */
export function decodeText(bytes: Uint8Array, file: string, stated = 'utf-8'): string {
  const encoding = markedEncoding(bytes) ?? stated;
  if (encoding === 'utf-8' && !isUtf8(bytes)) throw refusal(file, bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw notInEncoding(file, encoding, cause);
  }
}

/** Creates a UTF-8 decoder for the chunks of a stream. Invalid bytes are an error and never replaced. */
export function createUtf8Decoder(): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new AppError('invalid', 'The text is not UTF-8. Save the file as UTF-8.', undefined, { cause });
    }
  };
}

/** Passes valid UTF-8 on unchanged, and decodes other text with `encoding`. Text before its first letter is ASCII. */
async function* utf8Or(chunks: AsyncIterable<Buffer>, file: string, encoding: string): AsyncGenerator<Buffer> {
  let isOther = false;
  let isMarked = false;
  let rest = Buffer.alloc(0);
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Buffer): Buffer => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream: bytes !== undefined }));
    } catch (cause) {
      throw notInEncoding(file, encoding, cause);
    }
  };
  for await (const chunk of chunks) {
    const bytes = isOther || rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = isOther ? 0 : endOfWholeCharacters(bytes);
    if (!isOther && !isUtf8(bytes.subarray(0, end))) {
      // The file has both encodings.
      if (isMarked) throw refusal(file, bytes);
      isOther = true;
    }
    if (isOther) {
      yield decode(bytes);
      continue;
    }
    isMarked ||= !isAscii(bytes.subarray(0, end));
    rest = Buffer.from(bytes.subarray(end));
    yield bytes.subarray(0, end);
  }
  yield isOther ? decode() : rest.length > 0 && !isMarked ? Buffer.concat([decode(rest), decode()]) : rest;
}

/** Passes valid UTF-8 on unchanged. */
async function* checkedUtf8(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = endOfWholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) throw refusal(file, bytes);
    rest = Buffer.from(bytes.subarray(end));
    yield chunk;
  }
  if (rest.length > 0) throw refusal(file, rest);
}

async function* decodedChunks(
  chunks: AsyncIterable<Buffer>,
  { file, encoding, fatal }: { readonly file: string; readonly encoding: string; readonly fatal: boolean },
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal });
  try {
    for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (cause) {
    throw cause instanceof TypeError ? notInEncoding(file, encoding, cause) : cause;
  }
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

export interface TextEncodingOptions {
  /** Encoding of all texts that state none, as named by {@link checkedEncoding}; default UTF-8. */
  readonly encoding?: string;
  /** Encoding of the format's files that are not UTF-8, if its publisher used another one. */
  readonly legacyEncoding?: string;
  /**
   * True for an import preview: text in an unknown encoding is decoded with the most likely one instead of rejected.
   */
  readonly isLook?: boolean;
}

/**
 * Wraps a source so that its texts are UTF-8 and readers of formats need only one encoding. A byte order mark indicates
 * UTF-16, also for JSON. Text without one is decoded with the stated encoding, and rejected if its bytes are invalid
 * there.
 */
export function withTextEncoding(
  source: Source,
  { encoding = 'utf-8', legacyEncoding, isLook = false }: TextEncodingOptions,
): Source {
  const concerns = (path: string): boolean =>
    isText(path) || isJson(path) || isJsonLines(path) || (source.kind === 'file' && !/\.[a-z0-9]{1,10}$/i.test(path));
  const encodingOf = (path: string, head: Uint8Array): string | undefined => {
    const marked = markedEncoding(head);
    if (marked !== undefined) return marked;
    if (isJson(path) && encoding === 'utf-8') return undefined;
    return isLook && encoding === 'utf-8' && !canDecode(head, 'utf-8') ? (likelyEncoding(head) ?? encoding) : encoding;
  };
  /** JSON is UTF-8 also beside texts in the stated encoding, unless its bytes say otherwise. */
  const mayBeUtf8 = (path: string, head: Uint8Array): boolean =>
    (isJson(path) || isJsonLines(path)) && markedEncoding(head) === undefined;
  const headOf = async (path: string): Promise<Buffer> => {
    for await (const chunk of source.stream(path)) return chunk;
    return Buffer.alloc(0);
  };
  return {
    ...source,
    async read(path, maxBytes) {
      const bytes = await source.read(path, maxBytes);
      if (!concerns(path)) return bytes;
      const own = encodingOf(path, bytes);
      if (legacyEncoding !== undefined && encoding === 'utf-8' && markedEncoding(bytes) === undefined && !isUtf8(bytes))
        return Buffer.from(decodeText(bytes, path, legacyEncoding));
      if (own === undefined || ((own === 'utf-8' || mayBeUtf8(path, bytes)) && isUtf8(bytes))) return bytes;
      if (isLook) return Buffer.from(new TextDecoder(own).decode(bytes));
      return Buffer.from(decodeText(bytes, path, own));
    },
    async *stream(path) {
      if (!concerns(path)) return yield* source.stream(path);
      const chunks = source.stream(path)[Symbol.asyncIterator]();
      const first = await chunks.next();
      if (first.done === true) return undefined;
      const own = encodingOf(path, first.value);
      const all = withFirst(first.value, chunks);
      if (own === undefined || (own === 'utf-8' && isLook)) return yield* all;
      if (own === 'utf-8') return yield* checkedUtf8(all, path);
      if (mayBeUtf8(path, first.value)) return yield* utf8Or(all, path, own);
      return yield* decodedChunks(all, { file: path, encoding: own, fatal: !isLook });
    },
    async localPath(path) {
      if (!concerns(path)) return source.localPath(path);
      const own = encodingOf(path, await headOf(path));
      return own === undefined || own === 'utf-8' ? source.localPath(path) : undefined;
    },
  };
}
