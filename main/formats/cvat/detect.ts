import { pathsToLookAt, readHead } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import type { Detection } from '../kit/plugin.ts';

const maxFiles = 20;

/** Name of a document's root element, passing over declarations, comments and a document type; undefined where there is none. */
function rootElement(head: string): string | undefined {
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

function detectionOf(path: string, head: string): Detection | null {
  if (rootElement(head) !== 'annotations') return null;
  const known = /<(?:version|meta|image|track)[\s>]/.test(head);
  const reason = known
    ? `${path} is XML with the root element <annotations> and the parts of a CVAT file.`
    : `${path} is XML with the root element <annotations>.`;
  return { reason, confidence: known ? 1 : 0.7 };
}

/** A bare XML file, or an archive with one, whose root element is `annotations`. */
export async function detectCvat(source: Source): Promise<Detection | null> {
  for (const path of pathsToLookAt(source, /\.xml$/i).slice(0, maxFiles)) {
    const found = detectionOf(path, await readHead(source, path, 64 * 1024));
    if (found) return found;
  }
  return null;
}
