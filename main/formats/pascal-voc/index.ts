import { colorTolerance } from '../kit/mask-files/color-tolerance.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import type { FormatOption } from '../kit/plugin.ts';
import { exportVoc } from './export.ts';
import { importVoc } from './import.ts';
import { detectVoc } from './detect.ts';

const oneBased: FormatOption = {
  name: 'one_based',
  title: 'Pixels count from 1',
  description: 'As in the files of the PASCAL VOC challenge. Off: from 0, as most tools write them.',
  kind: 'boolean',
  default: false,
};

export const voc = defineFormat({
  name: 'PASCAL VOC',
  version: '1.1',
  support: carries({
    both: ['rectangle', 'rotated rectangle', 'mask', 'tag', 'track', 'attribute'],
    converted: ['ellipse', 'polygon'],
  }),
  detect: detectVoc,
  importOptions: [oneBased, colorTolerance],
  exportOptions: [oneBased],
  read: importVoc,
  write: exportVoc,
});
