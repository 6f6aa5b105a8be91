import { defineFormat } from '../kit/define-format.ts';
import { exportLabelbox } from './export.ts';
import { detectLabelbox, importLabelbox } from './import.ts';

export const labelbox = defineFormat({
  name: 'Labelbox NDJSON',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'converted',
    tag: 'both',
    track: 'converted',
    attribute: 'both',
  },
  importExt: 'NDJSON, JSON, ZIP',
  detect: detectLabelbox,
  read: importLabelbox,
  write: exportLabelbox,
});
