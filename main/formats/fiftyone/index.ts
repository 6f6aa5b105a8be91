import { defineFormat } from '../kit/define-format.ts';
import { exportFiftyOne } from './export.ts';
import { detectFiftyOne, importFiftyOne } from './import.ts';

export const fiftyOne = defineFormat({
  name: 'FiftyOne',
  version: '1.0',
  support: {
    rectangle: 'both',
    tag: 'import',
    track: 'converted',
    attribute: 'both',
  },
  importExt: 'JSON, ZIP',
  detect: detectFiftyOne,
  read: importFiftyOne,
  write: exportFiftyOne,
});
