import { exporter, importer } from '../plugin.ts';
import { exportYolo } from './export.ts';
import { importYolo } from './import.ts';

export const yoloImporter = importer({ name: 'YOLO', version: '1.1', ext: 'ZIP', display_name: 'YOLO 1.1' })(
  importYolo,
);
export const yoloExporter = exporter({ name: 'YOLO', version: '1.1', ext: 'ZIP', display_name: 'YOLO 1.1' })(
  exportYolo,
);
