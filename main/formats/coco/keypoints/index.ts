import type { JsonWriter } from '../../io/json-writer.ts';
import { isSystemFile, type Source } from '../../io/source.ts';
import { exportCocoFiles, instanceRows } from '../export-coco.ts';
import { type AnnotationFile, importCocoFiles } from '../import-coco.ts';
import type { CocoCategory } from '../write-annotation.ts';
import { type DatasetReader, defineFormat } from '../../kit/define-format.ts';
import type { Exporter } from '../../kit/plugin.ts';
import { skeletonJoints } from '../../../../preload/contract/skeleton-joints.ts';
import { createSkeletonBuilder } from './build-skeletons.ts';
import { createSkeletonReader } from './read-skeleton.ts';
import { detectKeypoints } from '../detect.ts';

const filePrefix = 'person_keypoints';

/** `person_keypoints_<subset>.json`; a file of another name only where there is no such one. */
function findFiles(source: Source): AnnotationFile[] {
  const paths = source.entries.map(({ path }) => path).filter((path) => /\.json$/i.test(path) && !isSystemFile(path));
  if (source.kind === 'file') return source.entries.map(({ path }) => ({ path, subset: 'default' }));
  const subsetOf = (path: string): string | undefined => /(?:^|\/)person_keypoints_([^/]+)\.json$/i.exec(path)?.[1];
  const named = paths.filter((path) => subsetOf(path) !== undefined);
  return (named.length > 0 ? named : paths).map((path) => ({ path, subset: subsetOf(path) ?? 'default' }));
}

function writeCategory(json: JsonWriter, { label }: CocoCategory): void {
  json.ascii(',"keypoints":');
  json.value(label.sublabels.map(({ name }) => name));
  json.ascii(',"skeleton":');
  json.value(skeletonJoints(label));
}

/** COCO key points: `annotations/person_keypoints_<subset>.json`, one annotation for each skeleton. */
const exportKeypoints: Exporter = async (file, task_data, options) => {
  const builder = createSkeletonBuilder(options.report, task_data.meta.labels);
  const rows = instanceRows(builder, options.report);
  await exportCocoFiles(file, task_data, options, { filePrefix, writesSublabels: false, writeCategory, rows });
};

/**
 * COCO key points: a zip archive, a folder or one JSON file. Rows of labels that are skeletons become skeletons; rows
 * of other labels are read as COCO instances.
 */
const importKeypoints: DatasetReader = (source, task_data, options) =>
  importCocoFiles(source, task_data, options, {
    format: 'COCO Keypoints',
    filePrefix,
    findFiles,
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
