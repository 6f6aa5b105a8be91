import { exporter, importer, type FormatParameters } from '../plugin.ts';
import { exportDetection, exportDetectionTrack, importDetection } from './detection.ts';

const detection: FormatParameters = {
  name: 'Ultralytics YOLO Detection',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Ultralytics YOLO Detection 1.0',
  support: { rectangle: 'both', track: 'import' },
};

export const ultralyticsDetectionImporter = importer(detection)(importDetection);
export const ultralyticsDetectionExporter = exporter(detection)(exportDetection);

export const ultralyticsDetectionTrackExporter = exporter({
  name: 'Ultralytics YOLO Detection Track',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Ultralytics YOLO Detection Track 1.0',
  support: { rectangle: 'export', track: 'export' },
})(exportDetectionTrack);
