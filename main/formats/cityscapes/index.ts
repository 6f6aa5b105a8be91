import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportCityscapes } from './export.ts';
import { importCityscapes } from './import.ts';
import { detectCityscapes } from './detect.ts';

const cityscapes: FormatParameters = {
  name: 'Cityscapes',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Cityscapes 1.0',
  support: {
    rectangle: 'converted',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    track: 'converted',
    attribute: 'partial',
  },
};

export const cityscapesImporter = importer({ ...cityscapes, detect: detectCityscapes })(importCityscapes);
export const cityscapesExporter = exporter(cityscapes)(exportCityscapes);
