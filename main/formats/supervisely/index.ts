import { carries, defineFormat } from '../kit/define-format.ts';
import { exportSupervisely } from './export.ts';
import { detectSupervisely, importSupervisely } from './import.ts';

export const supervisely = defineFormat({
  name: 'Supervisely',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'points', 'mask', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'ellipse', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectSupervisely,
  read: importSupervisely,
  write: exportSupervisely,
});
