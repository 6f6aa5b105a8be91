import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportWiderFace } from './export.ts';
import { importWiderFace } from './import.ts';
import { detectWiderFace } from './detect.ts';

const widerFace: FormatParameters = {
  name: 'WiderFace',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'WiderFace 1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    tag: 'both',
    track: 'converted',
    attribute: 'partial',
  },
};

export const widerFaceImporter = importer({ ...widerFace, detect: detectWiderFace })(importWiderFace);
export const widerFaceExporter = exporter(widerFace)(exportWiderFace);
