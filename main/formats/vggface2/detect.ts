import { type FormatCandidate, isWithinReach } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { findVggFiles } from './files.ts';

const name = 'VGGFace2 1.0';

/** Files of boxes or landmarks in a folder bb_landmark. */
export async function detectVggFace2(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const path = findVggFiles(source).find((file) => isWithinReach(file.path))?.path;
  return path === undefined ? [] : [{ name, reason: `${path} is called as a file of VGGFace2.`, confidence: 0.95 }];
}
