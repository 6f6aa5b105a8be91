import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportLfw } from './export.ts';
import { importLfw } from './import.ts';
import { detectLfw } from './detect.ts';

const lfw: FormatParameters = {
  name: 'LFW',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'LFW 1.0',
  support: { points: 'both', tag: 'both', track: 'converted', attribute: 'partial' },
};

export const lfwImporter = importer({ ...lfw, detect: detectLfw })(importLfw);
export const lfwExporter = exporter(lfw)(exportLfw);
