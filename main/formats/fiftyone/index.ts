import { carries, defineFormat } from '../kit/define-format.ts';
import { exportFiftyOne } from './export.ts';
import { detectFiftyOne, importFiftyOne } from './import.ts';

export const fiftyOne = defineFormat({
  name: 'FiftyOne',
  version: '1.0',
  support: carries({ both: ['rectangle', 'attribute'], import: ['tag'], converted: ['track'] }),
  importExt: 'JSON, ZIP',
  detect: detectFiftyOne,
  read: importFiftyOne,
  write: exportFiftyOne,
});
