import { likeliest, oncePerSource, pathsToLookAt, readHead } from './detection.ts';
import type { Detection, Detector } from './plugin.ts';

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
