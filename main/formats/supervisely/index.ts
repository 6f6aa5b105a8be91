import { defineFormat } from '../kit/define-format.ts';
import { exportSupervisely } from './export.ts';
import { detectSupervisely, importSupervisely } from './import.ts';

export const supervisely = defineFormat({
  name: 'Supervisely',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'both',
    tag: 'both',
    track: 'converted',
    attribute: 'both',
  },
  importExt: 'JSON, ZIP',
  detect: detectSupervisely,
  read: importSupervisely,
  write: exportSupervisely,
});
