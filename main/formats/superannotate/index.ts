import { defineFormat } from '../kit/define-format.ts';
import { exportSuperAnnotate } from './export.ts';
import { detectSuperAnnotate, importSuperAnnotate } from './import.ts';

export const superAnnotate = defineFormat({
  name: 'SuperAnnotate JSON',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'both',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'converted',
    tag: 'both',
    track: 'converted',
    attribute: 'both',
  },
  importExt: 'JSON, ZIP',
  detect: detectSuperAnnotate,
  read: importSuperAnnotate,
  write: exportSuperAnnotate,
});
