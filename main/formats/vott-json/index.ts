import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportVott } from './export.ts';
import { importVott } from './import.ts';
import { detectVott } from './detect.ts';

const vott: FormatParameters = {
  name: 'VoTT JSON',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'VoTT JSON 1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'converted',
    track: 'converted',
  },
};

export const vottImporter = importer({ ...vott, ext: 'JSON, ZIP', detect: detectVott })(importVott);
export const vottExporter = exporter(vott)(exportVott);
