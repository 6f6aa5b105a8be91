import { defineFormat } from '../kit/define-format.ts';
import { exportPaddleOcr } from './export.ts';
import { detectPaddleOcr, importPaddleOcr } from './import.ts';

export const paddleOcr = defineFormat({
  name: 'PaddleOCR',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    mask: 'converted',
    track: 'converted',
    attribute: 'partial',
  },
  importExt: 'TXT, ZIP',
  detect: detectPaddleOcr,
  read: importPaddleOcr,
  write: exportPaddleOcr,
});
