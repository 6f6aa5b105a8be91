import { defineFormat } from '../kit/define-format.ts';
import { exportCreateMl } from './export.ts';
import { importCreateMl, detectCreateMl } from './import.ts';

export const createMl = defineFormat({
  name: 'CreateML',
  version: '1.0',
  support: { rectangle: 'both', tag: 'import', track: 'converted' },
  importExt: 'JSON, ZIP',
  detect: detectCreateMl,
  read: importCreateMl,
  write: exportCreateMl,
});
