import { carries, defineFormat, everyKindBut } from '../kit/define-format.ts';
import { exportDatumaro } from './export.ts';
import { importDatumaro, detectDatumaro } from './import.ts';

export const datumaro = defineFormat({
  name: 'Datumaro',
  version: '1.0',
  support: carries({ both: everyKindBut('cuboid') }),
  importExt: 'JSON, ZIP',
  detect: detectDatumaro,
  read: importDatumaro,
  write: exportDatumaro,
});
