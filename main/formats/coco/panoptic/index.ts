import { paintedSupport } from '../../kit/mask-files/painted-exporter.ts';
import { defineFormat } from '../../kit/define-format.ts';
import { exportPanoptic } from './export.ts';
import { importPanoptic } from './import.ts';
import { detectPanoptic } from '../detect.ts';

export const cocoPanoptic = defineFormat({
  name: 'COCO Panoptic',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectPanoptic,
  read: importPanoptic,
  write: exportPanoptic,
});
