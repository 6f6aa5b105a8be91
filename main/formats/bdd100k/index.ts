import { defineFormat } from '../kit/define-format.ts';
import { exportBdd } from './export.ts';
import { detectBdd, importBdd } from './import.ts';

export const bdd100k = defineFormat({
  name: 'BDD100K',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    polyline: 'both',
    mask: 'converted',
    track: 'converted',
    attribute: 'both',
  },
  importExt: 'JSON, ZIP',
  detect: detectBdd,
  read: importBdd,
  write: exportBdd,
});
