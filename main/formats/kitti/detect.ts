import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { findKittiFiles } from './import.ts';

/** Boxes in a folder label_2, or masks in a folder instance. */
export const detectKitti = amongFiles((source) => {
  const file = findKittiFiles(source).find(({ path }) => isWithinReach(path));
  if (file) {
    const what = file.kind === 'boxes' ? 'a label file' : 'an image of instances';
    return { reason: `${file.path} is ${what} where KITTI has it.`, confidence: 0.95 };
  }
  const image = source.entries.find(({ path }) => /(^|\/)image_2\//.test(path))?.path;
  return image === undefined ? null : { reason: `${image} lies where KITTI has its images.`, confidence: 0.5 };
});
