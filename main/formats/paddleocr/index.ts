import { carries, defineFormat } from '../kit/define-format.ts';
import { exportPaddleOcr } from './export.ts';
import { detectPaddleOcr, importPaddleOcr } from './import.ts';

export const paddleOcr = defineFormat({
  name: 'PaddleOCR',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
    partial: ['attribute'],
  }),
  importExt: 'TXT, ZIP',
  detect: detectPaddleOcr,
  read: importPaddleOcr,
  write: exportPaddleOcr,
});
