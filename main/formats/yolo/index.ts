import { defineFormat } from '../kit/define-format.ts';
import { exportYolo } from './export.ts';
import { importYolo } from './import.ts';
import { detectYolo } from './detect.ts';

export const yolo = defineFormat({
  name: 'YOLO',
  version: '1.1',
  support: { rectangle: 'both', track: 'converted' },
  detect: detectYolo,
  read: importYolo,
  write: exportYolo,
});
