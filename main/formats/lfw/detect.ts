import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { findLfwFiles } from './files.ts';

/** A list of pairs, in its folder or beside a list of people. */
export const detectLfw = amongFiles((source) => {
  const files = findLfwFiles(source).find(({ pairs }) => isWithinReach(pairs));
  if (!files) return null;
  const { pairs, people } = files;
  if (people !== undefined)
    return { reason: `${pairs} is called as the pairs of LFW, with a list of people beside it.`, confidence: 0.95 };
  const isInPlace = /(^|\/)annotations\//.test(pairs);
  return { reason: `${pairs} is called as the pairs of LFW.`, confidence: isInPlace ? 0.7 : 0.4 };
});
