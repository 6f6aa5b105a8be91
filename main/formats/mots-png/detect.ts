import { type FormatCandidate, isWithinReach } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { findMotsFiles } from './import.ts';

const name = 'MOTS PNG 1.0';

/** Images of numbers in a folder instances. */
export async function detectMots(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const file = findMotsFiles(source).find(({ path }) => isWithinReach(path));
  if (!file) return [];
  const hasLabels = source.has(`${file.folder}/labels.txt`);
  const reason = `${file.path} lies in a folder instances${hasLabels ? ', with the list of labels beside it' : ''}.`;
  return [{ name, reason, confidence: hasLabels ? 0.95 : 0.85 }];
}
