import { defineFormat } from '../kit/define-format.ts';
import { exportDatumaro } from './export.ts';
import { importDatumaro, detectDatumaro } from './import.ts';

export const datumaro = defineFormat({
  name: 'Datumaro',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'both',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'both',
    skeleton: 'both',
    tag: 'both',
    track: 'both',
    attribute: 'both',
  },
  importExt: 'JSON, ZIP',
  detect: detectDatumaro,
  read: importDatumaro,
  write: exportDatumaro,
});
