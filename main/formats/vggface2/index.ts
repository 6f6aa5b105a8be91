import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportVggFace2 } from './export.ts';
import { importVggFace2 } from './import.ts';
import { detectVggFace2 } from './detect.ts';

const vggFace2: FormatParameters = {
  name: 'VGGFace2',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'VGGFace2 1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'converted', points: 'both', tag: 'both', track: 'converted' },
};

export const vggFace2Importer = importer({ ...vggFace2, detect: detectVggFace2 })(importVggFace2);
export const vggFace2Exporter = exporter(vggFace2)(exportVggFace2);
