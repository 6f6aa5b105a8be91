import { colorTolerance } from '../../kit/mask-files/color-tolerance.ts';
import { exporter, type FormatParameters, importer } from '../../kit/plugin.ts';
import { exportSegmentationMask } from './export.ts';
import { importSegmentationMask } from './import.ts';
import { detectSegmentationMask } from '../detect.ts';

const segmentationMask: FormatParameters = {
  name: 'Segmentation mask',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'Segmentation mask 1.1',
  support: {
    rectangle: 'converted',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    track: 'converted',
  },
};

export const segmentationMaskImporter = importer({
  ...segmentationMask,
  detect: detectSegmentationMask,
  options: [colorTolerance],
})(importSegmentationMask);
export const segmentationMaskExporter = exporter(segmentationMask)(exportSegmentationMask);
