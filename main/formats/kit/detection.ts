import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import type { Detection, Detector } from './plugin.ts';

/** A format that a file may be in: the display name of its importer, and the reasons. */
export interface FormatCandidate extends Detection {
  readonly name: string;
}

/** Detector of a format that is never a single file. */
export function amongFiles(look: Detector): Detector {
  return (source) => (source.kind === 'file' ? null : look(source));
}

/** Caches the result per source, because several formats read the same files. */
export function oncePerSource<Result>(work: (source: Source) => Result): (source: Source) => Result {
  const done = new WeakMap<Source, Result>();
  return (source) => {
    const result = done.has(source) ? (done.get(source) as Result) : work(source);
    done.set(source, result);
    return result;
  };
}

/** First bytes of an entry as text, without a byte order mark. Invalid bytes become U+FFFD. */
export async function readHead(source: Source, path: string, maxBytes = 256 * 1024): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.stream(path)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, maxBytes);
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

const maxHeads = 20;
/** Maximum folder depth of files for detection. */
const maxFolders = 4;

export function isWithinReach(path: string): boolean {
  return path.split('/').length <= maxFolders + 1;
}

/** Paths with this ending that detection should read, or the single file whatever its name. */
export function pathsToLookAt(source: Source, ending: RegExp): string[] {
  return source.entries
    .map(({ path }) => path)
    .filter((path) => source.kind === 'file' || (ending.test(path) && isWithinReach(path) && !isSystemFile(path)));
}

/** Creates a detector from the start of files with a given name, alone or in an archive. */
export const byHead =
  (
    isCalledSo: RegExp,
    look: (file: { readonly path: string; readonly text: string }) => Detection | null,
    maxBytes = 16 * 1024,
  ): Detector =>
  async (source) => {
    const paths = pathsToLookAt(source, isCalledSo).slice(0, maxHeads);
    const heads = paths.map(async (path) => look({ path, text: await readHead(source, path, maxBytes) }));
    return likeliest(await Promise.all(heads));
  };

/** The detection with the highest confidence; the first of equal ones. */
export function likeliest(found: Iterable<Detection | null>): Detection | null {
  let best: Detection | null = null;
  for (const one of found) if (one && one.confidence > (best?.confidence ?? 0)) best = one;
  return best;
}

const maxFiles = 20;

export interface JsonHead {
  readonly path: string;
  readonly text: string;
  readonly isList: boolean;
  /** Keys of the object, or of the first objects of the list, in the text that was read. */
  readonly keys: readonly string[];
  readonly has: (key: string) => boolean;
}

/** Keys at the top level of a document, in the text that was read; empty if it is not an object. */
export function topLevelKeys(head: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let at = 0; at < head.length; at += 1) {
    const character = head[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      const end = endOfString(head, at);
      if (depth === 1 && /^\s*:/.test(head.slice(end + 1, end + 20))) keys.push(head.slice(at + 1, end));
      at = end;
    }
  }
  return head.trimStart().startsWith('{') ? keys : [];
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Reads the start of each JSON document once for all formats, which recognize it by its first keys. */
export const readJsonHeads = oncePerSource(async (source): Promise<readonly JsonHead[]> => {
  const heads: JsonHead[] = [];
  for (const path of pathsToLookAt(source, /\.json$/i).slice(0, maxFiles)) {
    const text = await readHead(source, path);
    const trimmed = text.trimStart();
    const isList = trimmed.startsWith('[');
    const keys = topLevelKeys(isList ? trimmed.slice(1) : trimmed);
    heads.push({ path, text, isList, keys, has: (key) => keys.includes(key) });
  }
  return heads;
});

/** Creates a detector of JSON documents, alone or in an archive, from their start. */
export function byJsonHead(look: (head: JsonHead) => Detection | null): Detector {
  return async (source) => likeliest((await readJsonHeads(source)).map(look));
}

/**
 * Detects a format of rows by the first lines of files. `read` returns a string for a line that is not a row, and
 * undefined for one that does not count.
 */
export async function detectRows(
  source: Source,
  paths: readonly string[],
  read: (line: string) => unknown,
  { reason, empty = null }: { readonly reason: string; readonly empty?: Detection | null },
): Promise<Detection | null> {
  let rows = 0;
  let good = 0;
  for (const path of paths) {
    // The last line may be cut off.
    for (const line of splitLines(await readHead(source, path, 16 * 1024)).slice(0, 20)) {
      const row = read(line);
      if (row === undefined) continue;
      rows += 1;
      if (typeof row !== 'string') good += 1;
    }
  }
  if (rows === 0) return empty;
  return good === 0 ? null : { reason, confidence: (0.95 * good) / rows };
}
