import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { findVggFiles } from './files.ts';

/** Files of boxes or landmarks in a folder bb_landmark. */
export const detectVggFace2 = amongFiles((source) => {
  const path = findVggFiles(source).find((file) => isWithinReach(file.path))?.path;
  return path === undefined ? null : { reason: `${path} is called as a file of VGGFace2.`, confidence: 0.95 };
});
