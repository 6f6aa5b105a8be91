import { type FormatCandidate, isWithinReach, readHead } from './kit/detection.ts';
import { isSystemFile, type Source } from './io/source.ts';

const maxFiles = 20;
/** Tables of the same data set that say nothing about objects. */
const otherTasks = /^(captions|labels|image_info)_/i;

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

/** The members of the family that a JSON document may belong to. */
function candidatesOf(path: string, head: string): FormatCandidate[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const keys = topLevelKeys(head);
  if (/^\s*\[\s*\{/.test(head)) return resultCandidates(path, head);
  if (keys.includes('categories') && keys.includes('items')) {
    const reason = `${path} is JSON with categories and items at its top level.`;
    return [{ name: 'Datumaro 1.0', reason, confidence: 0.95 }];
  }
  const confidence = otherTasks.test(name) ? 0 : confidenceOf(keys, head);
  if (confidence === 0) return [];
  if (/"segments_info"\s*:/.test(head) || /^panoptic_/i.test(name)) {
    return [{ name: 'COCO Panoptic 1.0', reason: `${path} is COCO JSON about images of segments.`, confidence: 0.95 }];
  }
  const reason = `${path} is JSON with ${keys.slice(0, 6).join(', ')} at its top level.`;
  if (!/"keypoints"\s*:/.test(head) && !/^person_keypoints_/i.test(name))
    return [{ name: 'COCO 1.0', reason, confidence }];
  return [
    { name: 'COCO Keypoints 1.0', reason: `${path} is COCO JSON with key points.`, confidence: 0.95 },
    { name: 'COCO 1.0', reason: `${path} is COCO JSON; its boxes and outlines can be read alone.`, confidence: 0.6 },
  ];
}

function resultCandidates(path: string, head: string): FormatCandidate[] {
  const first = head.slice(0, 4096);
  if (!/"image_id"\s*:/.test(first) || !/"(category_id|caption)"\s*:/.test(first)) return [];
  const reason = `${path} is a JSON list of rows with image_id, as detection results are written.`;
  return [{ name: 'COCO Results 1.0', reason, confidence: 0.9 }];
}

/** JSON of the COCO family and of Datumaro, bare or in an archive: which member shows in its keys and its name. */
export async function detectCoco(source: Source): Promise<FormatCandidate[]> {
  const isBare = source.kind === 'file';
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => isBare || (/\.json$/i.test(path) && isWithinReach(path) && !isSystemFile(path)));
  const best = new Map<string, FormatCandidate>();
  for (const path of paths.slice(0, maxFiles)) {
    for (const candidate of candidatesOf(path, await readHead(source, path))) {
      if (candidate.confidence > (best.get(candidate.name)?.confidence ?? 0)) best.set(candidate.name, candidate);
    }
  }
  return [...best.values()];
}
