import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportKitti } from './export.ts';
import { importKitti } from './import.ts';
import { detectKitti } from './detect.ts';

const kitti: FormatParameters = {
  name: 'KITTI',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'KITTI 1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    track: 'converted',
    attribute: 'partial',
  },
};

export const kittiImporter = importer({ ...kitti, detect: detectKitti })(importKitti);
export const kittiExporter = exporter(kitti)(exportKitti);
