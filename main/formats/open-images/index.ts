import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportOpenImages } from './export.ts';
import { importOpenImages } from './import.ts';
import { detectOpenImages } from './detect.ts';

const openImages: FormatParameters = {
  name: 'Open Images V6',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Open Images V6 1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    tag: 'both',
    track: 'converted',
    attribute: 'partial',
  },
};

export const openImagesImporter = importer({ ...openImages, detect: detectOpenImages })(importOpenImages);
export const openImagesExporter = exporter(openImages)(exportOpenImages);
