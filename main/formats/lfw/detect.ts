import { type FormatCandidate, isWithinReach } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { findLfwFiles } from './files.ts';

const name = 'LFW 1.0';

/** A list of pairs, in its folder or beside a list of people. */
export async function detectLfw(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const files = findLfwFiles(source).find(({ pairs }) => isWithinReach(pairs));
  if (!files) return [];
  const { pairs, people } = files;
  const isInPlace = /(^|\/)annotations\//.test(pairs);
  const confidence = people === undefined ? (isInPlace ? 0.7 : 0.4) : 0.95;
  return [
    {
      name,
      reason: `${pairs} is called as the pairs of LFW${people === undefined ? '' : ', with a list of people beside it'}.`,
      confidence,
    },
  ];
}
