import { defineFormat } from '../kit/define-format.ts';
import { exportDota } from './export.ts';
import { importDota } from './import.ts';
import { detectDota } from './detect.ts';

/** DOTA: turned boxes in aerial images. */
export const dota = defineFormat({
  name: 'DOTA',
  version: '1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'both', track: 'converted', attribute: 'partial' },
  detect: detectDota,
  importExt: 'TXT, ZIP',
  read: importDota,
  write: exportDota,
});
