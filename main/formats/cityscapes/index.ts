import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { defineFormat } from '../kit/define-format.ts';
import { exportCityscapes } from './export.ts';
import { importCityscapes, detectCityscapes } from './import.ts';

export const cityscapes = defineFormat({
  name: 'Cityscapes',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectCityscapes,
  read: importCityscapes,
  write: exportCityscapes,
});
