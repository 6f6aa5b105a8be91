import { carries, defineFormat } from '../kit/define-format.ts';
import { exportDarwin } from './export.ts';
import { detectDarwin, importDarwin } from './import.ts';

export const darwin = defineFormat({
  name: 'V7 Darwin JSON',
  version: '2.0',
  support: carries({
    both: ['rectangle', 'ellipse', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectDarwin,
  read: importDarwin,
  write: exportDarwin,
});
