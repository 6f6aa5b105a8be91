import { rowExporter, rowImporter } from './rows.ts';
import { rotatedRectangleToPolygon } from '../../../preload/contract/geometry.ts';
import { type Box, boxOfCorners } from '../kit/corner-box.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import type { Frame, LabeledShape } from '../kit/task-data.ts';
import { readClass, readExtra, sixDecimals } from '../kit/yolo-family/box-row.ts';
import type { RowReader } from '../kit/yolo-family/label-import.ts';
import { pairFields, readValues } from '../kit/yolo-family/row-values.ts';

const format = 'Ultralytics YOLO Oriented Bounding Boxes';

interface Size {
  readonly width: number;
  readonly height: number;
}

function fieldsOf({ points, rotation = 0 }: Box, size: Size): string[] {
  return pairFields(rotatedRectangleToPolygon(points, rotation), size);
}

/**
 * The box that four corners mean. Corners of a rectangle keep their order, so that every rotation comes back; other
 * ones give the smallest rectangle around them.
 */
function readOrientedBox(values: readonly number[], size: Size): Box {
  const corners = values.map((value, index) => value * (index % 2 === 0 ? size.width : size.height));
  const tolerance = 2e-6 * Math.max(size.width, size.height);
  const written = values.map(sixDecimals).join(' ');
  return boxOfCorners(corners, tolerance, (box) => fieldsOf(box, size).join(' ') === written);
}

const readRow: RowReader = (fields, size) => {
  if (fields.length !== 9 && fields.length !== 10) return `a row has 9 values, this one has ${fields.length}`;
  const classIndex = readClass(fields[0]);
  if (classIndex === undefined) return `${JSON.stringify(fields[0])} is not a class number`;
  const values = readValues(fields.slice(1, 9));
  if (typeof values === 'string') return values;
  const extra = readExtra(fields[9]);
  if (typeof extra === 'string') return extra;
  const { trackId, score } = extra;
  return {
    classIndex,
    shape: { type: 'rectangle', ...readOrientedBox(values, size), ...(score === undefined ? {} : { score }) },
    ...(trackId === undefined ? {} : { trackId }),
  };
};

/** Imports rotated boxes: rows of a class and four corners. A track id or a confidence may follow. */
export const importOrientedBoxes = rowImporter(format, readRow);

function problemOf({ type, points }: LabeledShape, frame: Frame): string | undefined {
  if (type !== 'rectangle') return `${format} has boxes only.`;
  if (!(frame.width > 0 && frame.height > 0)) return 'The size of the image is not known.';
  return points.length === 4 && points.every(Number.isFinite)
    ? undefined
    : 'Its coordinates are not four finite numbers.';
}

/** Exports boxes as four corners: top left, top right, bottom right, bottom left before their rotation. */
export const exportOrientedBoxes = rowExporter(format, (_file, task_data, { report }) => {
  const names = task_data.meta.labels.map(({ name }) => name);
  const classes = new Map(names.map((name, index) => [name, index]));
  const notes = createLossNotes(report, format, { rotation: true });
  notes.tracks(task_data);
  const rowsOf = (frame: Frame): string[] => {
    for (const { label } of frame.tags) report.lost('tag', label, `${format} has no tags.`);
    return frame.labeled_shapes.flatMap((shape) => {
      const problem = problemOf(shape, frame);
      const classIndex = classes.get(shape.label);
      if (problem !== undefined || classIndex === undefined) {
        report.lost(shape.type, shape.label, problem ?? 'The label is not a label of the task.');
        return [];
      }
      notes.shape(shape);
      report.carried('rectangle', shape.label);
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
      const points = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
      return [`${classIndex} ${fieldsOf({ ...shape, points }, frame).join(' ')}`];
    });
  };
  return { names, rowsOf };
});
