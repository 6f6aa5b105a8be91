import type { JsonWriter } from '../../io/json-writer.ts';
import { oneOrNamed } from '../coco-file.ts';
import { exportCocoFiles, instanceRows } from '../export-coco.ts';
import { importCocoFiles } from '../import-coco.ts';
import type { CocoCategory } from '../write-annotation.ts';
import { type DatasetReader, defineFormat } from '../../kit/define-format.ts';
import type { Exporter } from '../../kit/plugin.ts';
import { skeletonJoints } from '../../../../preload/geometry/skeleton-joints.ts';
import { createSkeletonBuilder } from './build-skeletons.ts';
import { createSkeletonReader } from './read-skeleton.ts';
import { detectKeypoints } from '../detect.ts';

const filePrefix = 'person_keypoints';

function writeCategory(json: JsonWriter, { label }: CocoCategory): void {
  json.ascii(',"keypoints":');
  json.value(label.sublabels.map(({ name }) => name));
  json.ascii(',"skeleton":');
  json.value(skeletonJoints(label));
}

/** Writes COCO keypoints: `annotations/person_keypoints_<subset>.json`, one annotation per skeleton. */
const exportKeypoints: Exporter = async (file, task_data, options) => {
  const builder = createSkeletonBuilder(options.report, task_data.meta.labels);
  const rows = instanceRows(builder, options.report);
  await exportCocoFiles(file, task_data, options, { filePrefix, writesSublabels: false, writeCategory, rows });
};

/**
 * Reads COCO keypoints from a zip archive, a folder or one JSON file. Rows of skeleton labels become skeletons; other
 * rows are read as COCO instances.
 */
const importKeypoints: DatasetReader = (source, task_data, options) =>
  importCocoFiles(source, task_data, options, {
    format: 'COCO Keypoints',
    filePrefix,
    files: oneOrNamed(source, filePrefix),
    readsKeypoints: true,
    skeletonReader: () => createSkeletonReader({ task_data, report: options.report }),
  });

export const cocoKeypoints = defineFormat({
  name: 'COCO Keypoints',
  version: '1.0',
  support: { skeleton: 'both', track: 'both', attribute: 'both' },
  importExt: 'JSON, ZIP',
  numbersClasses: true,
  detect: detectKeypoints,
  read: importKeypoints,
  write: exportKeypoints,
});
