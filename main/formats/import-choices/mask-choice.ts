import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';
import { maskBox, maskProblem } from '../../../preload/geometry/mask-runs.ts';
import { ShapeError } from '../kit/frame-guard.ts';
import { maxMaskPixels } from '../kit/mask-files/read-image.ts';
import type { FormatReport } from '../kit/report.ts';
import type { LabeledShape, TaskData } from '../kit/task-data.ts';
import { withOverrides } from '../kit/with-overrides.ts';

/** Far above the groups of files, so that the polygons of each mask form a separate group. */
const firstGroup = 1_000_000_000;

function polygonsOf(points: readonly number[]): readonly (readonly number[])[] {
  const { width, height } = maskBox(points);
  if (width * height > maxMaskPixels) throw new ShapeError('the mask is too large to become a polygon');
  const polygons = maskToPolygons(points);
  if (polygons.length === 0) throw new ShapeError('the mask is too small to become a polygon');
  return polygons;
}

/** Converts masks to polygons for importers that keep masks. */
export function withMasksAsPolygons(
  task_data: TaskData,
  report: FormatReport,
): { readonly task_data: TaskData; readonly report: FormatReport } {
  let group = firstGroup;
  const add = (shape: LabeledShape): void => {
    // An invalid mask is passed on, so that it is rejected with its reason.
    if (shape.type !== 'mask' || maskProblem(shape.points) !== null) return task_data.add_shape(shape);
    const { area: _area, fixed_points: _fixed, ...rest } = shape;
    const polygons = polygonsOf(shape.points);
    if (shape.group === 0 && polygons.length > 1) group += 1;
    const shared = shape.group === 0 && polygons.length > 1 ? group : shape.group;
    for (const points of polygons) task_data.add_shape({ ...rest, type: 'polygon', points, group: shared });
    report.warn('Masks were converted to polygons, which are accurate to a pixel.');
    return undefined;
  };
  return {
    task_data: withOverrides(task_data, { add_shape: add }),
    report: {
      ...report,
      included: (type, label, count) => report.included(type === 'mask' ? 'polygon' : type, label, count),
    },
  };
}
