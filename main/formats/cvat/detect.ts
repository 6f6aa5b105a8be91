import { type FormatCandidate, isWithinReach, readHead } from '../kit/detection.ts';
import { isSystemFile, type Source } from '../io/source.ts';

const name = 'CVAT 1.1';
const maxFiles = 20;

/** Name of a document's root element, passing over declarations, comments and a document type; undefined where there is none. */
export function rootElement(head: string): string | undefined {
  let at = 0;
  for (;;) {
    while (at < head.length && head.charCodeAt(at) <= 32) at += 1;
    if (head[at] !== '<') return undefined;
    const end = head.startsWith('<!--', at)
      ? '-->'
      : head.startsWith('<?', at)
        ? '?>'
        : head.startsWith('<!', at)
          ? '>'
          : undefined;
    if (end === undefined) return /^<([\w:.-]+)/.exec(head.slice(at, at + 200))?.[1];
    // A document type may have an internal part in brackets that holds further declarations.
    const bracket = head.startsWith('<!DOCTYPE', at) ? head.slice(at, at + 1000).search(/[[>]/) : -1;
    const from = bracket >= 0 && head[at + bracket] === '[' ? head.indexOf(']', at + bracket) : at;
    const close = from < 0 ? -1 : head.indexOf(end, from);
    if (close < 0) return undefined;
    at = close + end.length;
  }
}

function candidate(path: string, head: string): FormatCandidate | undefined {
  if (rootElement(head) !== 'annotations') return undefined;
  const known = /<(?:version|meta|image|track)[\s>]/.test(head);
  const reason = known
    ? `${path} is XML with the root element <annotations> and the parts of a CVAT file.`
    : `${path} is XML with the root element <annotations>.`;
  return { name, reason, confidence: known ? 1 : 0.7 };
}

/** A bare XML file, or an archive with one, whose root element is `annotations`. */
export async function detectCvat(source: Source): Promise<FormatCandidate[]> {
  const isBare = source.kind === 'file';
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => isBare || (/\.xml$/i.test(path) && isWithinReach(path) && !isSystemFile(path)));
  for (const path of paths.slice(0, maxFiles)) {
    const found = candidate(path, await readHead(source, path, 64 * 1024));
    if (found) return [found];
  }
  return [];
}
