import { colorTolerance } from '../kit/mask-files/color-tolerance.ts';
import { exporter, type FormatOption, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportVoc } from './export.ts';
import { importVoc } from './import.ts';
import { detectVoc } from './detect.ts';

const voc: FormatParameters = {
  name: 'PASCAL VOC',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'PASCAL VOC 1.1',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    tag: 'both',
    track: 'both',
    attribute: 'both',
  },
};

const oneBased: FormatOption = {
  name: 'one_based',
  title: 'Pixels count from 1',
  description: 'As in the files of the PASCAL VOC challenge. Off: from 0, as most tools write them.',
  kind: 'boolean',
  default: false,
};

export const vocImporter = importer({ ...voc, detect: detectVoc, options: [oneBased, colorTolerance] })(importVoc);
export const vocExporter = exporter({ ...voc, options: [oneBased] })(exportVoc);
