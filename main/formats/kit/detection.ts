import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import type { Detection, Detector } from './plugin.ts';

/** A format that a file may be in: the display name of its importer, and what speaks for it. */
export interface FormatCandidate extends Detection {
  readonly name: string;
}

/** A detector of a format that is never a file alone. */
export function amongFiles(look: Detector): Detector {
  return (source) => (source.kind === 'file' ? null : look(source));
}

/** Does the work for a source once, whoever asks: several formats look at the same files. */
export function oncePerSource<Result>(work: (source: Source) => Result): (source: Source) => Result {
  const done = new WeakMap<Source, Result>();
  return (source) => {
    const result = done.has(source) ? (done.get(source) as Result) : work(source);
    done.set(source, result);
    return result;
  };
}

/** The first bytes of an entry as text, without a byte order mark; bytes that are no text become U+FFFD. */
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
/** How deep in a source detection looks: folders above a file. */
const maxFolders = 4;

export function isWithinReach(path: string): boolean {
  return path.split('/').length <= maxFolders + 1;
}

/** Paths worth a look: those with such an ending, or the file itself, whatever it is called. */
export function pathsToLookAt(source: Source, ending: RegExp): string[] {
  return source.entries
    .map(({ path }) => path)
    .filter((path) => source.kind === 'file' || (ending.test(path) && isWithinReach(path) && !isSystemFile(path)));
}

/** A detector by how files begin that are called so, bare or in an archive. */
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

/** The one with the most confidence; of equals the first. */
export function likeliest(found: Iterable<Detection | null>): Detection | null {
  let best: Detection | null = null;
  for (const one of found) if (one && one.confidence > (best?.confidence ?? 0)) best = one;
  return best;
}

const maxFiles = 20;

/** The beginning of a JSON document. */
export interface JsonHead {
  readonly path: string;
  readonly text: string;
  readonly isList: boolean;
  /** Keys of the object, or of the first objects of the list, as far as the text reaches. */
  readonly keys: readonly string[];
  readonly has: (key: string) => boolean;
}

/** Keys of a document's top level as far as the text reaches; empty where it is no object. */
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

/** JSON of all programs is told by its first keys: each document's beginning is read once for all of them. */
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

/** A detector of JSON documents, bare or in an archive, by how each begins. */
export function byJsonHead(look: (head: JsonHead) => Detection | null): Detector {
  return async (source) => likeliest((await readJsonHeads(source)).map(look));
}

/**
 * What the first lines of files say of a format of rows. `read` gives a text where a line is no row, and nothing where
 * it does not count.
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
    // The last line of the head may be cut off.
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
