import { defineFormat } from '../kit/define-format.ts';
import { exportDarwin } from './export.ts';
import { detectDarwin, importDarwin } from './import.ts';

export const darwin = defineFormat({
  name: 'V7 Darwin JSON',
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
  importExt: 'JSON, ZIP',
  detect: detectDarwin,
  read: importDarwin,
  write: exportDarwin,
});
