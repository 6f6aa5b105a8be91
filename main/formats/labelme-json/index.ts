import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportLabelMeFiles, labelMeDialect, labelMeSupport } from './export.ts';
import { importLabelMeFiles } from './import.ts';
import { detectLabelMeJson } from './detect.ts';

const labelMeJson: FormatParameters = {
  name: 'labelme JSON',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'labelme JSON 1.0',
  support: labelMeSupport,
};

/** labelme: one JSON file for each image, beside it. Its members that labelme does not know it keeps. */
export const labelMeJsonImporter = importer({ ...labelMeJson, ext: 'JSON, ZIP', detect: detectLabelMeJson })(
  (file_object, task_data, options) => importLabelMeFiles('labelme JSON', file_object, task_data, options),
);
export const labelMeJsonExporter = exporter(labelMeJson)((file_object, task_data, options) =>
  exportLabelMeFiles(labelMeDialect(task_data), file_object, task_data, options),
);

export { xAnyLabelingExporter, xAnyLabelingImporter } from './x-anylabeling.ts';
