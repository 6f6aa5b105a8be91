import { defineFormat } from '../kit/define-format.ts';
import { exportVisDrone } from './export.ts';
import { detectVisDrone, importVisDrone } from './import.ts';

export const visDrone = defineFormat({
  name: 'VisDrone',
  version: '1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'converted', track: 'converted', attribute: 'partial' },
  detect: detectVisDrone,
  read: importVisDrone,
  write: exportVisDrone,
});
