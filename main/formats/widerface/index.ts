import { defineFormat } from '../kit/define-format.ts';
import { exportWiderFace } from './export.ts';
import { importWiderFace, detectWiderFace } from './import.ts';

export const widerFace = defineFormat({
  name: 'WiderFace',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    tag: 'both',
    track: 'converted',
    attribute: 'partial',
  },
  detect: detectWiderFace,
  read: importWiderFace,
  write: exportWiderFace,
});
