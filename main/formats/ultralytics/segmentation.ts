import { rowExporter, rowImporter } from './rows.ts';
import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import { shapeMask } from '../kit/mask-files/shape-mask.ts';
import type { Frame, LabeledShape } from '../kit/task-data.ts';
import {
  boxPoints,
  pairFields,
  pairPixels,
  readBoxRow,
  readClass,
  readExtra,
  readShares,
} from '../kit/yolo-family/box-row.ts';
import { rowObject, type RowReader } from '../kit/yolo-family/label-import.ts';

const format = 'Ultralytics YOLO Segmentation';

const readRow: RowReader = (fields, size) => {
  const classIndex = readClass(fields[0]);
  if (classIndex === undefined) return `${JSON.stringify(fields[0])} is not a class number`;
  // Some programs write boxes and polygons into one file; both are accepted.
  if (fields.length === 5 || fields.length === 6) {
    const box = readBoxRow(fields);
    return typeof box === 'string'
      ? box
      : rowObject(classIndex, { type: 'rectangle', points: boxPoints(box, size) }, box);
  }
  // Pairs follow the class. A remaining value is a track id or a confidence.
  const hasExtra = fields.length % 2 === 0;
  const pairs = fields.slice(1, hasExtra ? -1 : undefined);
  if (pairs.length < 6) return `a polygon must have at least 3 points, but this row has ${fields.length} values`;
  const values = readShares(pairs);
  if (typeof values === 'string') return values;
  const extra = readExtra(hasExtra ? fields.at(-1) : undefined);
  if (typeof extra === 'string') return extra;
  return rowObject(classIndex, { type: 'polygon', points: pairPixels(values, size) }, extra);
};

/**
 * Imports polygons: rows of a class and at least three points. Rows of boxes become boxes. A track id or a confidence
 * may follow.
 */
export const importSegmentation = rowImporter(format, readRow);

/** Exports polygons. Masks and ellipses are converted to polygons, which is reported. */
export const exportSegmentation = rowExporter(format, (task_data, { report }) => {
  const names = task_data.meta.labels.map(({ name }) => name);
  const classes = new Map(names.map((name, index) => [name, index]));
  const notes = createLossNotes(report, format, { rotation: true });
  notes.tracks(task_data);

  const lose = (shape: LabeledShape, rule: string): readonly (readonly number[])[] => {
    report.dropped(shape.type, shape.label, rule);
    return [];
  };
  const polygonsOf = (shape: LabeledShape, frame: Frame): readonly (readonly number[])[] => {
    const { type, points } = shape;
    if (type !== 'polygon' && type !== 'mask' && type !== 'ellipse') return lose(shape, `${format} has polygons only.`);
    if (!(frame.width > 0 && frame.height > 0)) return lose(shape, 'The size of the image is not known.');
    if (!points.every(Number.isFinite)) return lose(shape, 'Its coordinates are not finite numbers.');
    if (type === 'polygon') {
      report.included('polygon', shape.label);
      return [points];
    }
    const mask = shapeMask(shape, frame);
    const polygons = mask ? maskToPolygons(mask) : [];
    if (polygons.length === 0) return lose(shape, 'It has no pixel in the image.');
    lose(shape, `${format} has no ${type}s: written as ${polygons.length > 1 ? 'several polygons' : 'a polygon'}.`);
    return polygons;
  };
  const rowsOf = (frame: Frame): string[] => {
    for (const { label } of frame.tags) report.dropped('tag', label, `${format} has no tags.`);
    return frame.labeled_shapes.flatMap((shape) => {
      const classIndex = classes.get(shape.label);
      if (classIndex === undefined) {
        lose(shape, 'The label is not a label of the task.');
        return [];
      }
      const polygons = polygonsOf(shape, frame);
      if (polygons.length > 0) notes.shape(shape);
      return polygons.map((points) => `${classIndex} ${pairFields(points, frame).join(' ')}`);
    });
  };
  return { names, rowsOf };
});
