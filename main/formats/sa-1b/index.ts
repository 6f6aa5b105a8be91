import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportSa1b } from './export.ts';
import { importSa1b } from './import.ts';
import { detectSa1b } from './detect.ts';

const sa1b: FormatParameters = {
  name: 'SA-1B JSON',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'SA-1B JSON 1.0',
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

export const sa1bImporter = importer({
  ...sa1b,
  detect: detectSa1b,
  ext: 'JSON, ZIP',
  options: [
    {
      name: 'label',
      title: 'Label of masks without one',
      description: 'The data set itself has no labels. Left empty: the task’s only label, or "object".',
      kind: 'text',
    },
  ],
})(importSa1b);
export const sa1bExporter = exporter(sa1b)(exportSa1b);
