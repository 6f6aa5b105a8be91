import { type FormatCandidate, isWithinReach } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { findKittiFiles } from './import.ts';

const name = 'KITTI 1.0';

/** Boxes in a folder label_2, or masks in a folder instance. */
export async function detectKitti(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const file = findKittiFiles(source).find(({ path }) => isWithinReach(path));
  if (file) {
    const what = file.kind === 'boxes' ? 'a label file' : 'an image of instances';
    return [{ name, reason: `${file.path} is ${what} where KITTI has it.`, confidence: 0.95 }];
  }
  const image = source.entries.find(({ path }) => /(^|\/)image_2\//.test(path))?.path;
  return image === undefined ? [] : [{ name, reason: `${image} lies where KITTI has its images.`, confidence: 0.5 }];
}
