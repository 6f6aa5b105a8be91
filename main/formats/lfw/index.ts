import { defineFormat } from '../kit/define-format.ts';
import { exportLfw } from './export.ts';
import { importLfw, detectLfw } from './import.ts';

export const lfw = defineFormat({
  name: 'LFW',
  version: '1.0',
  support: { points: 'both', tag: 'both', track: 'converted', attribute: 'partial' },
  detect: detectLfw,
  read: importLfw,
  write: exportLfw,
});
