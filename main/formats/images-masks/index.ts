import { defineFormat } from '../kit/define-format.ts';
import { colorTolerance } from '../kit/mask-files/color-tolerance.ts';
import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { exportImagesMasks } from './export.ts';
import { detectImagesMasks, importImagesMasks } from './import.ts';

export const imagesMasks = defineFormat({
  name: 'Images and Masks',
  version: '1.0',
  support: paintedSupport,
  detect: detectImagesMasks,
  importOptions: [colorTolerance],
  read: importImagesMasks,
  write: exportImagesMasks,
});
