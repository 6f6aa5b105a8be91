import type { LabelLayout } from '../kit/yolo-family/label-archive.ts';
import { reservedKeys } from './data-yaml.ts';

/** Ultralytics finds list entries beside the list only where they start with `./`. */
export const ultralyticsLayout: Omit<LabelLayout, 'format'> = {
  reservedSubsets: reservedKeys,
  labelPath: (subset, stem) => `labels/${subset}/${stem}.txt`,
  imagePath: (subset, name) => `images/${subset}/${name}`,
  listLine: (subset, name) => `./images/${subset}/${name}`,
  writesEmptyLabels: false,
};
