import { carries, defineFormat } from '../kit/define-format.ts';
import { exportVia } from './export.ts';
import { detectVia, importVia } from './import.ts';

export const via = defineFormat({
  name: 'VIA JSON',
  version: '2.0',
  support: carries({
    both: ['rectangle', 'ellipse', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'mask', 'track'],
  }),
  importExt: 'JSON, CSV, ZIP',
  detect: detectVia,
  read: importVia,
  write: exportVia,
});
