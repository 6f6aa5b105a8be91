import { defineFormat } from '../kit/define-format.ts';
import { exportLabelMeFiles, labelMeDialect, labelMeSupport } from './export.ts';
import { labelMeReader } from './import.ts';
import { detectLabelMeJson } from './detect.ts';

/** labelme: one JSON file for each image, beside it. Its members that labelme does not know it keeps. */
export const labelMeJson = defineFormat({
  name: 'labelme JSON',
  version: '1.0',
  support: labelMeSupport,
  importExt: 'JSON, ZIP',
  detect: detectLabelMeJson,
  read: labelMeReader('labelme JSON'),
  write: (file_object, task_data, options) =>
    exportLabelMeFiles(labelMeDialect(task_data), file_object, task_data, options),
});
