import { carries, defineFormat } from '../kit/define-format.ts';
import { exportDatumaro } from './export.ts';
import { importDatumaro, detectDatumaro } from './import.ts';

export const datumaro = defineFormat({
  name: 'Datumaro',
  version: '1.0',
  support: carries({
    both: [
      'rectangle',
      'rotated rectangle',
      'ellipse',
      'polygon',
      'polyline',
      'points',
      'mask',
      'skeleton',
      'tag',
      'track',
      'attribute',
    ],
  }),
  importExt: 'JSON, ZIP',
  detect: detectDatumaro,
  read: importDatumaro,
  write: exportDatumaro,
});
