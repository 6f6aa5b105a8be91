import type { Source } from '../io/source.ts';

/** A format that a file may be in. */
export interface FormatCandidate {
  /** Display name of the importer. */
  readonly name: string;
  /** What in the file speaks for it, as a sentence. */
  readonly reason: string;
  /** 0..1; from 0.9 on there is hardly a doubt. */
  readonly confidence: number;
}

/** Looks for one format, or one family of them, in a source. Reads little: names, and the beginning of a few files. */
export type FormatDetector = (source: Source) => Promise<readonly FormatCandidate[]>;

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
