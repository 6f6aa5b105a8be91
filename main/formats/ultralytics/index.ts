import { datasetExporter, defineFormat } from '../kit/define-format.ts';
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

export const ultralyticsDetection = defineFormat({
  name: 'Ultralytics YOLO Detection',
  version: '1.0',
  support: { rectangle: 'both', track: 'import' },
  detect: detectDetection,
  read: importDetection,
  write: exportDetection,
});

export const ultralyticsDetectionTrackExporter = datasetExporter({
  name: 'Ultralytics YOLO Detection Track',
  isSequence: true,
  version: '1.0',
  ext: 'ZIP',
  support: { rectangle: 'export', track: 'export' },
})(exportDetectionTrack);

export const ultralyticsOrientedBoxes = defineFormat({
  name: 'Ultralytics YOLO Oriented Bounding Boxes',
  version: '1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'both', track: 'import' },
  detect: detectOrientedBoxes,
  read: importOrientedBoxes,
  write: exportOrientedBoxes,
});

export const ultralyticsSegmentation = defineFormat({
  name: 'Ultralytics YOLO Segmentation',
  version: '1.0',
  support: { polygon: 'both', mask: 'converted', ellipse: 'converted', track: 'import' },
  detect: detectSegmentation,
  read: importSegmentation,
  write: exportSegmentation,
});

export const ultralyticsPose = defineFormat({
  name: 'Ultralytics YOLO Pose',
  version: '1.0',
  support: { skeleton: 'both', track: 'import' },
  detect: detectPose,
  read: importPose,
  write: exportPose,
});

export const ultralyticsClassification = defineFormat({
  name: 'Ultralytics YOLO Classification',
  version: '1.0',
  support: { tag: 'both' },
  detect: detectClassification,
  read: importClassification,
  write: exportClassification,
});
