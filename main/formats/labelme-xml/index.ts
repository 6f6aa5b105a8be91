import { defineFormat } from '../kit/define-format.ts';
import { exportLabelMe } from './export.ts';
import { importLabelMe, detectLabelMe } from './import.ts';

export const labelMe = defineFormat({
  name: 'LabelMe',
  version: '3.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'converted',
    polygon: 'both',
    polyline: 'import',
    points: 'import',
    mask: 'both',
    track: 'both',
    attribute: 'both',
  },
  detect: detectLabelMe,
  read: importLabelMe,
  write: exportLabelMe,
});
