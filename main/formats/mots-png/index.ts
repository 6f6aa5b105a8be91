import { defineFormat } from '../kit/define-format.ts';
import { exportMots } from './export.ts';
import { importMots, detectMots } from './import.ts';

export const mots = defineFormat({
  name: 'MOTS PNG',
  isSequence: true,
  version: '1.0',
  support: { track: 'both' },
  detect: detectMots,
  read: importMots,
  write: exportMots,
});
