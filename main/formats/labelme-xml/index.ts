import { carries, defineFormat } from '../kit/define-format.ts';
import { exportLabelMe } from './export.ts';
import { importLabelMe, detectLabelMe } from './import.ts';

export const labelMe = defineFormat({
  name: 'LabelMe',
  version: '3.0',
  support: carries({
    both: ['rectangle', 'rotated rectangle', 'polygon', 'mask', 'track', 'attribute'],
    import: ['polyline', 'points'],
    converted: ['ellipse'],
  }),
  detect: detectLabelMe,
  read: importLabelMe,
  write: exportLabelMe,
});
