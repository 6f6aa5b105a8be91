import { exporter, importer } from '../plugin.ts';
import { exportDetection, exportDetectionTrack, importDetection } from './detection.ts';

const detection = {
  name: 'Ultralytics YOLO Detection',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Ultralytics YOLO Detection 1.0',
};

export const ultralyticsDetectionImporter = importer(detection)(importDetection);
export const ultralyticsDetectionExporter = exporter(detection)(exportDetection);

export const ultralyticsDetectionTrackExporter = exporter({
  name: 'Ultralytics YOLO Detection Track',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Ultralytics YOLO Detection Track 1.0',
})(exportDetectionTrack);
