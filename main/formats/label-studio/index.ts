import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportLabelStudio } from './export.ts';
import { importLabelStudio } from './import.ts';
import { detectLabelStudio } from './detect.ts';

const labelStudio: FormatParameters = {
  name: 'Label Studio JSON',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Label Studio JSON 1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'both',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'both',
    tag: 'both',
    track: 'both',
    attribute: 'both',
  },
};

/** Label Studio's list of tasks. What a region has no field for stands in its `meta`, which the program keeps. */
export const labelStudioImporter = importer({
  ...labelStudio,
  detect: detectLabelStudio,
  ext: 'JSON, ZIP',
  options: [
    {
      name: 'predictions',
      title: 'Read predictions, too',
      description: 'Otherwise only what people annotated.',
      kind: 'boolean',
      default: false,
    },
  ],
})(importLabelStudio);
export const labelStudioExporter = exporter(labelStudio)(exportLabelStudio);
