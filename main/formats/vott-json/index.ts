import { carries, defineFormat } from '../kit/define-format.ts';
import { exportVott } from './export.ts';
import { importVott, detectVott } from './import.ts';

export const vott = defineFormat({
  name: 'VoTT JSON',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'points'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectVott,
  read: importVott,
  write: exportVott,
});
