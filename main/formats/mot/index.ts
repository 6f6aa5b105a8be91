import { exporter, type FormatParameters, importer } from '../plugin.ts';
import { exportMot } from './export.ts';
import { importMot } from './import.ts';

const mot: FormatParameters = {
  name: 'MOT',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'MOT 1.1',
  support: { rectangle: 'both', 'rotated rectangle': 'converted', track: 'both', attribute: 'partial' },
};

export const motImporter = importer(mot)(importMot);
export const motExporter = exporter(mot)(exportMot);
