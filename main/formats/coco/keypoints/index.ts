import type { JsonWriter } from '../../io/json-writer.ts';
import { isSystemFile, type Source } from '../../io/source.ts';
import { withSource } from '../../io/open-source.ts';
import { exportCocoFiles } from '../export-coco.ts';
import { type AnnotationFile, importCocoFiles } from '../import-coco.ts';
import type { CocoCategory } from '../write-annotation.ts';
import {
  type DestinationFile,
  exporter,
  type ExportOptions,
  type FormatParameters,
  importer,
  type ImportOptions,
  type SourceFile,
} from '../../kit/plugin.ts';
import { skeletonJoints } from '../../../../preload/contract/skeleton-joints.ts';
import type { TaskData } from '../../kit/task-data.ts';
import { createSkeletonBuilder } from './build-skeletons.ts';
import { createSkeletonReader } from './read-skeleton.ts';
import { detectKeypoints } from '../detect.ts';

const keypoints: FormatParameters = {
  name: 'COCO Keypoints',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'COCO Keypoints 1.0',
  support: { skeleton: 'both', track: 'both', attribute: 'both' },
};
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
async function exportKeypoints(file: DestinationFile, task_data: TaskData, options: ExportOptions): Promise<void> {
  const builder = createSkeletonBuilder(options.report, task_data.meta.labels);
  await exportCocoFiles(file, task_data, options, { filePrefix, writesSublabels: false, writeCategory, builder });
}

/**
 * COCO key points: a zip archive, a folder or one JSON file. Rows of labels that are skeletons become skeletons; rows
 * of other labels are read as COCO instances.
 */
async function importKeypoints(file_object: SourceFile, task_data: TaskData, options: ImportOptions): Promise<void> {
  const { report } = options;
  await withSource(file_object, (source) =>
    importCocoFiles(source, task_data, options, {
      format: 'COCO Keypoints',
      filePrefix,
      findFiles,
      readsKeypoints: true,
      skeletonReader: () => createSkeletonReader({ task_data, report }),
    }),
  );
}

export const cocoKeypointsImporter = importer({ ...keypoints, ext: 'JSON, ZIP', detect: detectKeypoints })(
  importKeypoints,
);
export const cocoKeypointsExporter = exporter(keypoints)(exportKeypoints);
