import { carries, defineFormat } from '../kit/define-format.ts';
import { exportBdd } from './export.ts';
import { detectBdd, importBdd } from './import.ts';

export const bdd100k = defineFormat({
  name: 'BDD100K',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'attribute'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectBdd,
  read: importBdd,
  write: exportBdd,
});
