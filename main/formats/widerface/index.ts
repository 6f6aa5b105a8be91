import { carries, defineFormat } from '../kit/define-format.ts';
import { exportWiderFace } from './export.ts';
import { importWiderFace, detectWiderFace } from './import.ts';

export const widerFace = defineFormat({
  name: 'WiderFace',
  version: '1.0',
  support: carries({ both: ['rectangle', 'tag'], converted: ['rotated rectangle', 'track'], partial: ['attribute'] }),
  detect: detectWiderFace,
  read: importWiderFace,
  write: exportWiderFace,
});
