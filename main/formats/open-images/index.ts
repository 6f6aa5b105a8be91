import { carries, defineFormat } from '../kit/define-format.ts';
import { exportOpenImages } from './export.ts';
import { importOpenImages, detectOpenImages } from './import.ts';

export const openImages = defineFormat({
  name: 'Open Images V6',
  version: '1.0',
  statesShares: true,
  support: carries({
    both: ['rectangle', 'mask', 'tag'],
    converted: ['rotated rectangle', 'ellipse', 'polygon', 'track'],
    partial: ['attribute'],
  }),
  detect: detectOpenImages,
  read: importOpenImages,
  write: exportOpenImages,
});
