import { exporter, importer, type FormatParameters } from '../kit/plugin.ts';
import { exportClassification, importClassification } from './classification.ts';
import { exportDetection, exportDetectionTrack, importDetection } from './detection.ts';
import { exportOrientedBoxes, importOrientedBoxes } from './oriented-boxes.ts';
import { exportPose, importPose } from './pose.ts';
import { exportSegmentation, importSegmentation } from './segmentation.ts';
import {
  detectClassification,
  detectDetection,
  detectOrientedBoxes,
  detectPose,
  detectSegmentation,
} from './detect.ts';

const detection: FormatParameters = {
  name: 'Ultralytics YOLO Detection',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Ultralytics YOLO Detection 1.0',
  support: { rectangle: 'both', track: 'import' },
};

export const ultralyticsDetectionImporter = importer({ ...detection, detect: detectDetection })(importDetection);
export const ultralyticsDetectionExporter = exporter(detection)(exportDetection);

export const ultralyticsDetectionTrackExporter = exporter({
  name: 'Ultralytics YOLO Detection Track',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Ultralytics YOLO Detection Track 1.0',
  support: { rectangle: 'export', track: 'export' },
})(exportDetectionTrack);

function variant(name: string, support: FormatParameters['support']): FormatParameters {
  const full = `Ultralytics YOLO ${name}`;
  return { name: full, version: '1.0', ext: 'ZIP', display_name: `${full} 1.0`, ...(support ? { support } : {}) };
}

const orientedBoxes = variant('Oriented Bounding Boxes', {
  rectangle: 'both',
  'rotated rectangle': 'both',
  track: 'import',
});
const segmentation = variant('Segmentation', {
  polygon: 'both',
  mask: 'converted',
  ellipse: 'converted',
  track: 'import',
});
const pose = variant('Pose', { skeleton: 'both', track: 'import' });
const classification = variant('Classification', { tag: 'both' });

export const ultralyticsOrientedBoxesImporter = importer({ ...orientedBoxes, detect: detectOrientedBoxes })(
  importOrientedBoxes,
);
export const ultralyticsOrientedBoxesExporter = exporter(orientedBoxes)(exportOrientedBoxes);
export const ultralyticsSegmentationImporter = importer({ ...segmentation, detect: detectSegmentation })(
  importSegmentation,
);
export const ultralyticsSegmentationExporter = exporter(segmentation)(exportSegmentation);
export const ultralyticsPoseImporter = importer({ ...pose, detect: detectPose })(importPose);
export const ultralyticsPoseExporter = exporter(pose)(exportPose);
export const ultralyticsClassificationImporter = importer({ ...classification, detect: detectClassification })(
  importClassification,
);
export const ultralyticsClassificationExporter = exporter(classification)(exportClassification);
