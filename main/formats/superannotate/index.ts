import { carries, defineFormat } from '../kit/define-format.ts';
import { exportSuperAnnotate } from './export.ts';
import { detectSuperAnnotate, importSuperAnnotate } from './import.ts';

export const superAnnotate = defineFormat({
  name: 'SuperAnnotate JSON',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'rotated rectangle', 'ellipse', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectSuperAnnotate,
  read: importSuperAnnotate,
  write: exportSuperAnnotate,
});
