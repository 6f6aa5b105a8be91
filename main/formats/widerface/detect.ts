import { type FormatCandidate, isWithinReach } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { findWiderFiles } from './files.ts';

const name = 'WiderFace 1.0';

/** Files in a folder wider_face_split. */
export async function detectWiderFace(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const path = findWiderFiles(source).find((file) => isWithinReach(file.path))?.path;
  return path === undefined
    ? []
    : [{ name, reason: `${path} lies in a folder that only WiderFace has.`, confidence: 0.95 }];
}
