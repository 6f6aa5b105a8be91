import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { exportIcdarLocalization, importIcdarLocalization } from './localization.ts';
import { exportIcdarRecognition, importIcdarRecognition } from './recognition.ts';
import { exportIcdarSegmentation } from './segmentation-export.ts';
import { importIcdarSegmentation } from './segmentation-import.ts';
import { detectLocalization, detectRecognition, detectSegmentation } from './detect.ts';

export const icdarRecognition = defineFormat({
  name: 'ICDAR Recognition',
  version: '1.0',
  support: { tag: 'both', attribute: 'partial' },
  detect: detectRecognition,
  read: importIcdarRecognition,
  write: exportIcdarRecognition,
});

export const icdarLocalization = defineFormat({
  name: 'ICDAR Localization',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon'],
    converted: ['rotated rectangle', 'track'],
    partial: ['attribute'],
  }),
  detect: detectLocalization,
  read: importIcdarLocalization,
  write: exportIcdarLocalization,
});

export const icdarSegmentation = defineFormat({
  name: 'ICDAR Segmentation',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectSegmentation,
  read: importIcdarSegmentation,
  write: exportIcdarSegmentation,
});
