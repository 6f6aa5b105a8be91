import { exporter, type FormatParameters, importer, type SupportTable } from '../kit/plugin.ts';
import { exportIcdarLocalization, importIcdarLocalization } from './localization.ts';
import { exportIcdarRecognition, importIcdarRecognition } from './recognition.ts';
import { exportIcdarSegmentation } from './segmentation-export.ts';
import { importIcdarSegmentation } from './segmentation-import.ts';
import { detectLocalization, detectRecognition, detectSegmentation } from './detect.ts';

const variant = (name: string, support: SupportTable): FormatParameters => ({
  name: `ICDAR ${name}`,
  version: '1.0',
  ext: 'ZIP',
  display_name: `ICDAR ${name} 1.0`,
  support,
});

const recognition = variant('Recognition', { tag: 'both', attribute: 'partial' });
const localization = variant('Localization', {
  rectangle: 'both',
  'rotated rectangle': 'converted',
  polygon: 'both',
  track: 'converted',
  attribute: 'partial',
});
const segmentation = variant('Segmentation', {
  rectangle: 'converted',
  'rotated rectangle': 'converted',
  ellipse: 'converted',
  polygon: 'converted',
  mask: 'both',
  track: 'converted',
  attribute: 'partial',
});

export const icdarRecognitionImporter = importer({ ...recognition, detect: detectRecognition })(importIcdarRecognition);
export const icdarRecognitionExporter = exporter(recognition)(exportIcdarRecognition);
export const icdarLocalizationImporter = importer({ ...localization, detect: detectLocalization })(
  importIcdarLocalization,
);
export const icdarLocalizationExporter = exporter(localization)(exportIcdarLocalization);
export const icdarSegmentationImporter = importer({ ...segmentation, detect: detectSegmentation })(
  importIcdarSegmentation,
);
export const icdarSegmentationExporter = exporter(segmentation)(exportIcdarSegmentation);
