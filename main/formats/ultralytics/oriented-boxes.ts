import { boxProblem, createLossNotes } from '../kit/dropped-details.ts';
import { createShapeRows } from '../kit/yolo-family/box-export.ts';
import { rowExporter, rowImporter } from './rows.ts';
import { rotatedRectangleToPolygon } from '../../../preload/geometry/geometry.ts';
import { type Box, boxOfCorners } from '../kit/corner-box.ts';
import type { ImageSize } from '../kit/task-data.ts';
import { pairFields, readClass, readExtra, readShares, sixDecimals } from '../kit/yolo-family/box-row.ts';
import { rowObject, type RowReader } from '../kit/yolo-family/label-import.ts';

const format = 'Ultralytics YOLO Oriented Bounding Boxes';

/**
 * An upright box is cut at the border. Corners of a rotated one stay outside, because moving them would change the box.
 */
function cornerFields({ points, rotation = 0 }: Box, size: ImageSize): string[] {
  const corners = rotatedRectangleToPolygon(points, rotation);
  if (rotation % 180 === 0) return pairFields(corners, size);
  return corners.map((value, index) => sixDecimals(value / (index % 2 === 0 ? size.width : size.height)));
}

/**
 * The box for four corners. Corners of a rectangle keep their order, so that every rotation is preserved; others give
 * the smallest enclosing rectangle.
 */
function readOrientedBox(values: readonly number[], size: ImageSize): Box {
  const corners = values.map((value, index) => value * (index % 2 === 0 ? size.width : size.height));
  const tolerance = 2e-6 * Math.max(size.width, size.height);
  const written = values.map(sixDecimals).join(' ');
  return boxOfCorners(corners, tolerance, (box) => cornerFields(box, size).join(' ') === written);
}

const readRow: RowReader = (fields, size) => {
  if (fields.length !== 9 && fields.length !== 10) return `a row must have 9 values, but has ${fields.length}`;
  const classIndex = readClass(fields[0]);
  if (classIndex === undefined) return `${JSON.stringify(fields[0])} is not a class number`;
  const values = readShares(fields.slice(1, 9));
  if (typeof values === 'string') return values;
  const extra = readExtra(fields[9]);
  if (typeof extra === 'string') return extra;
  return rowObject(classIndex, { type: 'rectangle', ...readOrientedBox(values, size) }, extra);
};

/** Imports rotated boxes: rows of a class and four corners. A track id or a confidence may follow. */
export const importOrientedBoxes = rowImporter(format, readRow);

/** Exports boxes as four corners: top left, top right, bottom right, bottom left before the rotation. */
export const exportOrientedBoxes = rowExporter(format, (task_data, { report }) => {
  const names = task_data.meta.labels.map(({ name }) => name);
  const notes = createLossNotes(report, format, { rotation: true });
  notes.tracks(task_data);
  const rowsOf = createShapeRows(report, {
    format,
    notes,
    names,
    problemOf: (shape) => boxProblem(shape, format),
    fieldsOf({ points: [x1 = 0, y1 = 0, x2 = 0, y2 = 0], rotation = 0 }, frame) {
      const points = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
      return cornerFields({ points, rotation }, frame).join(' ');
    },
  });
  return { names, rowsOf };
});
