import { isSystemFile, type Source } from '../io/source.ts';
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

/** The one with the most confidence; of equals the first. */
export function likeliest(found: Iterable<Detection | null>): Detection | null {
  let best: Detection | null = null;
  for (const one of found) if (one && one.confidence > (best?.confidence ?? 0)) best = one;
  return best;
}
