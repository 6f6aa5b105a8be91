import { amongFiles, isWithinReach, readHead } from '../kit/detection.ts';
import { splitLines } from '../io/text-lines.ts';
import { findSequences, readMotRow } from './files.ts';

const sampledRows = 20;

/** Rows of numbers in gt/gt.txt, or det/det.txt. */
export const detectMot = amongFiles(async (source) => {
  const sequence = findSequences(source).find(({ path }) => isWithinReach(path));
  if (!sequence) return null;
  const { path } = sequence;
  // The last line of the head may be cut off.
  const rows = splitLines(await readHead(source, path, 16 * 1024))
    .slice(0, sampledRows)
    .map(readMotRow)
    .filter((row) => row !== undefined);
  if (rows.length === 0) {
    const hasLabels = source.has(path.replace(/[^/]+$/, 'labels.txt'));
    return { reason: `${path} is an empty file where MOT has its rows.`, confidence: hasLabels ? 0.9 : 0.5 };
  }
  const good = rows.filter((row) => typeof row === 'object').length;
  if (good === 0) return null;
  const reason = `${path} has rows of numbers with commas between, as MOT has.`;
  return { reason, confidence: (0.95 * good) / rows.length };
});
