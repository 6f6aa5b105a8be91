import { carries, defineFormat } from '../kit/define-format.ts';
import { exportKitti } from './export.ts';
import { importKitti, detectKitti } from './import.ts';

export const kitti = defineFormat({
  name: 'KITTI',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'mask'],
    converted: ['rotated rectangle', 'ellipse', 'polygon', 'track'],
    partial: ['attribute'],
  }),
  detect: detectKitti,
  read: importKitti,
  write: exportKitti,
});
