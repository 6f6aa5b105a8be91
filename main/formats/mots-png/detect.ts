import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { findMotsFiles } from './import.ts';

/** Images of numbers in a folder instances. */
export const detectMots = amongFiles((source) => {
  const file = findMotsFiles(source).find(({ path }) => isWithinReach(path));
  if (!file) return null;
  const hasLabels = source.has(`${file.folder}/labels.txt`);
  const reason = `${file.path} lies in a folder instances${hasLabels ? ', with the list of labels beside it' : ''}.`;
  return { reason, confidence: hasLabels ? 0.95 : 0.85 };
});
