import type { Frame, TaskData } from '../kit/task-data.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { writeArchive } from '../kit/frame-images.ts';
import type { Exporter, ExportOptions } from '../kit/plugin.ts';
import { type LabelLayout, writeLabelArchive } from '../kit/yolo-family/label-archive.ts';
import { importLabels, type RowReader } from '../kit/yolo-family/label-import.ts';
import { reservedKeys, writeDataYaml } from './data-yaml.ts';
import { openUltralytics } from './dataset.ts';

/** Ultralytics resolves list entries relative to the list only if they start with `./`. */
const layout: Omit<LabelLayout, 'format'> = {
  reservedSubsets: reservedKeys,
  labelPath: (subset, stem) => `labels/${subset}/${stem}.txt`,
  imagePath: (subset, name) => `images/${subset}/${name}`,
  listLine: (subset, name) => `./images/${subset}/${name}`,
  writesEmptyLabels: false,
};

/** Creates an importer of datasets with label files whose rows `readRow` parses. */
export const rowImporter =
  (format: string, readRow: RowReader): DatasetReader =>
  async (source, task_data, options) => {
    const { description, items } = await openUltralytics(source, format, options.report);
    await importLabels(source, task_data, options, { classNames: description.names, items, readRow });
  };

/** Class names, the rows of each image, and for poses the shape of the points. */
export interface RowExport {
  readonly names: readonly string[];
  readonly rowsOf: (frame: Frame) => readonly string[];
  readonly keypointShape?: readonly [count: number, size: number];
}

/** Writes `data.yaml`, a list per subset, and a label file per image with rows. */
export const rowExporter =
  (format: string, open: (task_data: TaskData, options: ExportOptions) => RowExport): Exporter =>
  async (file_object, task_data, options) => {
    const { names, rowsOf, keypointShape } = open(task_data, options);
    await writeArchive(file_object.path, async (zip) => {
      const subsets = await writeLabelArchive(zip, task_data, options, { ...layout, format }, rowsOf);
      await zip.add('data.yaml', writeDataYaml(names, subsets, keypointShape));
    });
  };
