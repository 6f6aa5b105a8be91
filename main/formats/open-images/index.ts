import { defineFormat } from '../kit/define-format.ts';
import { exportOpenImages } from './export.ts';
import { importOpenImages, detectOpenImages } from './import.ts';

export const openImages = defineFormat({
  name: 'Open Images V6',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    tag: 'both',
    track: 'converted',
    attribute: 'partial',
  },
  detect: detectOpenImages,
  read: importOpenImages,
  write: exportOpenImages,
});
