import { defineFormat } from '../kit/define-format.ts';
import { exportVia } from './export.ts';
import { detectVia, importVia } from './import.ts';

export const via = defineFormat({
  name: 'VIA JSON',
  version: '2.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'both',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'converted',
    tag: 'both',
    track: 'converted',
    attribute: 'both',
  },
  importExt: 'JSON, CSV, ZIP',
  detect: detectVia,
  read: importVia,
  write: exportVia,
});
