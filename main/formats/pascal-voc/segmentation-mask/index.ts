import { paintedSupport } from '../../kit/mask-files/painted-exporter.ts';
import { colorTolerance } from '../../kit/mask-files/color-tolerance.ts';
import { defineFormat } from '../../kit/define-format.ts';
import { exportSegmentationMask } from './export.ts';
import { importSegmentationMask } from './import.ts';
import { detectSegmentationMask } from '../detect.ts';

export const segmentationMask = defineFormat({
  name: 'Segmentation mask',
  version: '1.1',
  support: paintedSupport,
  detect: detectSegmentationMask,
  importOptions: [colorTolerance],
  read: importSegmentationMask,
  write: exportSegmentationMask,
});
