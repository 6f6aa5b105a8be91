import { defineFormat } from '../kit/define-format.ts';
import { exportIsat } from './export.ts';
import { detectIsat, importIsat } from './import.ts';

export const isat = defineFormat({
  name: 'ISAT JSON',
  version: '1.0',
  support: {
    rectangle: 'converted',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    mask: 'converted',
    track: 'converted',
    attribute: 'partial',
  },
  importExt: 'JSON, ZIP',
  detect: detectIsat,
  read: importIsat,
  write: exportIsat,
});
