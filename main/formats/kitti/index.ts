import { defineFormat } from '../kit/define-format.ts';
import { exportKitti } from './export.ts';
import { importKitti, detectKitti } from './import.ts';

export const kitti = defineFormat({
  name: 'KITTI',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    track: 'converted',
    attribute: 'partial',
  },
  detect: detectKitti,
  read: importKitti,
  write: exportKitti,
});
