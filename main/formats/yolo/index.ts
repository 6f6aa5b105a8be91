import { exporter, importer, type FormatParameters } from '../kit/plugin.ts';
import { exportYolo } from './export.ts';
import { importYolo } from './import.ts';
import { detectYolo } from './detect.ts';

const yolo: FormatParameters = {
  name: 'YOLO',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'YOLO 1.1',
  support: { rectangle: 'both', track: 'converted' },
};

export const yoloImporter = importer({ ...yolo, detect: detectYolo })(importYolo);
export const yoloExporter = exporter(yolo)(exportYolo);
