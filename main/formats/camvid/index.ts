import { colorTolerance } from '../kit/mask-files/color-tolerance.ts';
import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportCamvid } from './export.ts';
import { importCamvid } from './import.ts';
import { detectCamvid } from './detect.ts';

const camvid: FormatParameters = {
  name: 'CamVid',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'CamVid 1.0',
  support: {
    rectangle: 'converted',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    track: 'converted',
  },
};

export const camvidImporter = importer({ ...camvid, detect: detectCamvid, options: [colorTolerance] })(importCamvid);
export const camvidExporter = exporter(camvid)(exportCamvid);
