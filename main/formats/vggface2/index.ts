import { defineFormat } from '../kit/define-format.ts';
import { exportVggFace2 } from './export.ts';
import { importVggFace2, detectVggFace2 } from './import.ts';

export const vggFace2 = defineFormat({
  name: 'VGGFace2',
  version: '1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'converted', points: 'both', tag: 'both', track: 'converted' },
  detect: detectVggFace2,
  read: importVggFace2,
  write: exportVggFace2,
});
