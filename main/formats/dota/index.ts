import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportDota } from './export.ts';
import { importDota } from './import.ts';
import { detectDota } from './detect.ts';

const dota: FormatParameters = {
  name: 'DOTA',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'DOTA 1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'both', track: 'converted', attribute: 'partial' },
};

/** DOTA: turned boxes in aerial images. */
export const dotaImporter = importer({ ...dota, detect: detectDota, ext: 'TXT, ZIP' })(importDota);
export const dotaExporter = exporter(dota)(exportDota);
