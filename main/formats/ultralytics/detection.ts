import { AppError } from '../../platform/errors.ts';
import { writeArchive } from '../kit/frame-images.ts';
import { withSource } from '../io/open-source.ts';
import type { DestinationFile, ExportOptions, ImportOptions, SourceFile } from '../kit/plugin.ts';
import type { TaskData } from '../kit/task-data.ts';
import { createBoxRows } from '../kit/yolo-family/box-export.ts';
import { boxPoints, readBoxRow } from '../kit/yolo-family/box-row.ts';
import { importLabels, type RowReader } from '../kit/yolo-family/label-import.ts';
import { type LabelLayout, writeLabelArchive } from '../kit/yolo-family/label-archive.ts';
import { writeDataYaml } from './data-yaml.ts';
import { openUltralytics } from './dataset.ts';
import { ultralyticsLayout } from './layout.ts';

const format = 'Ultralytics YOLO Detection';

/** Rows of the other variants in a dataset that was opened as Detection: says which one they belong to. */
function otherVariant(count: number): string | undefined {
  if (count === 9)
    return 'a row of 9 values is an oriented box: import the dataset as Ultralytics YOLO Oriented Bounding Boxes';
  if (count >= 7 && count % 2 === 1)
    return `a row of ${count} values is a polygon: import the dataset as Ultralytics YOLO Segmentation`;
  return undefined;
}

const readRow: RowReader = (fields, size) => {
  const row = readBoxRow(fields, { extra: true });
  if (typeof row === 'string') return otherVariant(fields.length) ?? row;
  return {
    classIndex: row.classIndex,
    shape: {
      type: 'rectangle',
      points: boxPoints(row, size),
      ...(row.score === undefined ? {} : { score: row.score }),
    },
    ...(row.trackId === undefined ? {} : { trackId: row.trackId }),
  };
};

/** Imports boxes. A track id or a confidence may follow the five values of a row; rows with a track id become tracks. */
export async function importDetection(
  file_object: SourceFile,
  task_data: TaskData,
  options: ImportOptions,
): Promise<void> {
  await withSource(file_object, async (source) => {
    source.warnings.forEach((warning) => options.report.warn(warning));
    const { description, items } = await openUltralytics(source, format, options.report);
    if (description.keypointShape) {
      throw new AppError(
        'invalid',
        `${source.name} holds poses (its description has kpt_shape), not boxes. Import it as Ultralytics YOLO Pose; nothing was imported.`,
      );
    }
    await importLabels({ source, task_data, options, classNames: description.names, items, readRow });
  });
}

async function exportBoxes(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
  trackIds: boolean,
): Promise<void> {
  const layout: LabelLayout = { ...ultralyticsLayout, format };
  await writeArchive(file_object.path, async (zip) => {
    const rowsOf = createBoxRows(task_data, options.report, { format, trackIds });
    const subsets = await writeLabelArchive(zip, task_data, options, layout, rowsOf);
    await zip.add(
      'data.yaml',
      writeDataYaml(
        task_data.meta.labels.map(({ name }) => name),
        subsets,
      ),
    );
  });
  options.progress(1);
}

/** Exports boxes: `data.yaml`, a list for each subset, and a label file for each image that has boxes. */
export async function exportDetection(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  await exportBoxes(file_object, task_data, options, false);
}

/** As {@link exportDetection}, with a track id at the end of the rows that belong to tracks. */
export async function exportDetectionTrack(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  await exportBoxes(file_object, task_data, options, true);
}
