import { carries, defineFormat } from '../kit/define-format.ts';
import { exportLabelbox } from './export.ts';
import { detectLabelbox, importLabelbox } from './import.ts';

export const labelbox = defineFormat({
  name: 'Labelbox NDJSON',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
  }),
  importExt: 'NDJSON, JSON, ZIP',
  detect: detectLabelbox,
  read: importLabelbox,
  write: exportLabelbox,
});
