import { exporter, type FormatParameters, importer } from '../../kit/plugin.ts';
import { exportPanoptic } from './export.ts';
import { importPanoptic } from './import.ts';
import { detectPanoptic } from '../detect.ts';

const panoptic: FormatParameters = {
  name: 'COCO Panoptic',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'COCO Panoptic 1.0',
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

export const cocoPanopticImporter = importer({ ...panoptic, detect: detectPanoptic })(importPanoptic);
export const cocoPanopticExporter = exporter(panoptic)(exportPanoptic);
