import { defineFormat } from '../kit/define-format.ts';
import { exportImageNet } from './export.ts';
import { importImageNet } from './import.ts';
import { detectImageNet } from './detect.ts';

export const imageNet = defineFormat({
  name: 'ImageNet',
  version: '1.0',
  lacksSubsets: true,
  support: { tag: 'both' },
  detect: detectImageNet,
  read: importImageNet,
  write: exportImageNet,
});
