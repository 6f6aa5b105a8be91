import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportLabelMe } from './export.ts';
import { importLabelMe } from './import.ts';
import { detectLabelMe } from './detect.ts';

const labelMe: FormatParameters = {
  name: 'LabelMe',
  version: '3.0',
  ext: 'ZIP',
  display_name: 'LabelMe 3.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'converted',
    polygon: 'both',
    polyline: 'import',
    points: 'import',
    mask: 'both',
    track: 'both',
    attribute: 'both',
  },
};

export const labelMeImporter = importer({ ...labelMe, detect: detectLabelMe })(importLabelMe);
export const labelMeExporter = exporter(labelMe)(exportLabelMe);
