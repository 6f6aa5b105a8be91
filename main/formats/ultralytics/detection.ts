import { rowExporter } from './rows.ts';
import { AppError } from '../../platform/errors.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { createBoxRows } from '../kit/yolo-family/box-export.ts';
import { boxPoints, readBoxRow } from '../kit/yolo-family/box-row.ts';
import { importLabels, rowObject, type RowReader } from '../kit/yolo-family/label-import.ts';
import { openUltralytics } from './dataset.ts';

const format = 'Ultralytics YOLO Detection';

/** Message for rows of another variant in a dataset that was opened as Detection; undefined for other rows. */
function otherVariant(count: number): string | undefined {
  if (count === 9)
    return 'a row of 9 values is an oriented box: import the dataset as Ultralytics YOLO Oriented Bounding Boxes';
  if (count >= 7 && count % 2 === 1)
    return `a row of ${count} values is a polygon: import the dataset as Ultralytics YOLO Segmentation, which reads boxes too`;
  return undefined;
}

const readRow: RowReader = (fields, size) => {
  const row = readBoxRow(fields);
  if (typeof row === 'string') return otherVariant(fields.length) ?? row;
  return rowObject(row.classIndex, { type: 'rectangle', points: boxPoints(row, size) }, row);
};

/**
 * Imports boxes. A track id or a confidence may follow the five values of a row; rows with a track id become tracks.
 */
export const importDetection: DatasetReader = async (source, task_data, options) => {
  const { description, items } = await openUltralytics(source, format, options.report);
  if (description.keypointShape) {
    throw new AppError(
      'invalid',
      `${source.name} has poses (its description has kpt_shape), not boxes. Import it as Ultralytics YOLO Pose; nothing was imported.`,
    );
  }
  await importLabels(source, task_data, options, { classNames: description.names, items, readRow });
};

const boxExporter = (trackIds: boolean) =>
  rowExporter(format, (task_data, { report }) => ({
    names: task_data.meta.labels.map(({ name }) => name),
    rowsOf: createBoxRows(task_data, report, { format, trackIds }),
  }));

/** Exports boxes: `data.yaml`, a list per subset, and a label file per image with boxes. */
export const exportDetection = boxExporter(false);

/** Like {@link exportDetection}, with a track id at the end of rows of tracks. */
export const exportDetectionTrack = boxExporter(true);
