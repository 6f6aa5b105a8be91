import { defineFormat } from '../kit/define-format.ts';
import { exportYolo } from './export.ts';
import { importYolo, detectYolo } from './import.ts';

export const yolo = defineFormat({
  name: 'YOLO',
  version: '1.1',
  support: { rectangle: 'both', track: 'converted' },
  detect: detectYolo,
  read: importYolo,
  write: exportYolo,
});
