import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { findWiderFiles } from './files.ts';

/** Files in a folder wider_face_split. */
export const detectWiderFace = amongFiles((source) => {
  const path = findWiderFiles(source).find((file) => isWithinReach(file.path))?.path;
  return path === undefined ? null : { reason: `${path} lies in a folder that only WiderFace has.`, confidence: 0.95 };
});
