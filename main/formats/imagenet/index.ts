import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportImageNet } from './export.ts';
import { importImageNet } from './import.ts';
import { detectImageNet } from './detect.ts';

const imageNet: FormatParameters = {
  name: 'ImageNet',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'ImageNet 1.0',
  support: { tag: 'both' },
};

export const imageNetImporter = importer({ ...imageNet, detect: detectImageNet })(importImageNet);
export const imageNetExporter = exporter(imageNet)(exportImageNet);
