import { type FormatCandidate, isWithinReach, readHead } from './detection.ts';
import { isSystemFile, type Source } from './io/source.ts';

const name = 'COCO 1.0';
const maxFiles = 20;

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

function confidenceOf(keys: readonly string[], head: string): number {
  const has = (key: string): boolean => keys.includes(key);
  if (has('items') || has('shapes')) return 0;
  if (has('images') && (has('annotations') || has('categories'))) return 0.95;
  if (has('images') && /"file_name"\s*:/.test(head)) return 0.9;
  if (has('annotations') && /"category_id"\s*:/.test(head)) return 0.8;
  return 0;
}

/** JSON whose top level has images, annotations and categories, bare or in an archive. */
export async function detectCoco(source: Source): Promise<FormatCandidate[]> {
  const isBare = source.kind === 'file';
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => isBare || (/\.json$/i.test(path) && isWithinReach(path) && !isSystemFile(path)));
  let best: FormatCandidate | undefined;
  for (const path of paths.slice(0, maxFiles)) {
    const head = await readHead(source, path);
    const keys = topLevelKeys(head);
    const confidence = confidenceOf(keys, head);
    if (confidence > (best?.confidence ?? 0)) {
      best = { name, reason: `${path} is JSON with ${keys.slice(0, 6).join(', ')} at its top level.`, confidence };
    }
  }
  return best ? [best] : [];
}
