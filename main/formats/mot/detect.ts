import { type FormatCandidate, isWithinReach, readHead } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { findSequences, readMotRow } from './files.ts';

const name = 'MOT 1.1';
const sampledRows = 20;

/** Rows of numbers in gt/gt.txt, or det/det.txt. */
export async function detectMot(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const sequence = findSequences(source).find(({ path }) => isWithinReach(path));
  if (!sequence) return [];
  const { path } = sequence;
  // The last line of the head may be cut off.
  const rows = splitLines(await readHead(source, path, 16 * 1024))
    .slice(0, sampledRows)
    .map(readMotRow)
    .filter((row) => row !== undefined);
  if (rows.length === 0) {
    const hasLabels = source.has(path.replace(/[^/]+$/, 'labels.txt'));
    return [{ name, reason: `${path} is an empty file where MOT has its rows.`, confidence: hasLabels ? 0.9 : 0.5 }];
  }
  const good = rows.filter((row) => typeof row === 'object').length;
  if (good === 0) return [];
  return [
    {
      name,
      reason: `${path} has rows of numbers with commas between, as MOT has.`,
      confidence: (0.95 * good) / rows.length,
    },
  ];
}
