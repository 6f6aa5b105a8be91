import { carries, defineFormat } from '../kit/define-format.ts';
import { exportIsat } from './export.ts';
import { detectIsat, importIsat } from './import.ts';

export const isat = defineFormat({
  name: 'ISAT JSON',
  version: '1.0',
  support: carries({
    both: ['polygon'],
    converted: ['rectangle', 'rotated rectangle', 'ellipse', 'mask', 'track'],
    partial: ['attribute'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectIsat,
  read: importIsat,
  write: exportIsat,
});
