import { defineFormat } from '../kit/define-format.ts';
import { exportVott } from './export.ts';
import { importVott, detectVott } from './import.ts';

export const vott = defineFormat({
  name: 'VoTT JSON',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'converted',
    track: 'converted',
  },
  importExt: 'JSON, ZIP',
  detect: detectVott,
  read: importVott,
  write: exportVott,
});
