import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportMots } from './export.ts';
import { importMots } from './import.ts';
import { detectMots } from './detect.ts';

const mots: FormatParameters = {
  name: 'MOTS PNG',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'MOTS PNG 1.0',
  support: { track: 'both' },
};

export const motsImporter = importer({ ...mots, detect: detectMots })(importMots);
export const motsExporter = exporter(mots)(exportMots);
