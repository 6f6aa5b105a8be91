import { boxOfPoints } from '../../../preload/contract/geometry.ts';
import { createUnitReader } from './fixed-units.ts';
import { ShapeError } from './frame-guard.ts';
import type { LabeledShape, TaskData } from './task-data.ts';
import { withOverrides } from './with-overrides.ts';

/**
 * Why numbers that should be shares of the image are none, or undefined: a share may lie a little outside, which is cut,
 * but not as far outside as the image is wide. `whole` is the whole side: 1, or 100 for percent.
 */
export function sharesProblem(values: readonly number[], whole = 1): string | undefined {
  const wrong = values.find((value) => value > 2 * whole || value < -whole);
  if (wrong === undefined) return undefined;
  const unit = whole === 1 ? 'fractions' : 'percent';
  return `${Number(wrong.toPrecision(6))} is outside 0 to ${whole}: these look like pixels, not like ${unit} of the image`;
}

/** A smaller box has hardly any extent, whatever its unit. */
const leastExtent = 0.01;

/** A file of fractions that is read as pixels has all its objects in the first pixel. Whole numbers may mean that pixel. */
function looksLikeFractions({ type, points }: LabeledShape): boolean {
  if (type !== 'rectangle' && type !== 'polygon') return false;
  const box = boxOfPoints(points);
  if (!box || Math.min(box.left, box.top) < 0 || Math.max(box.right, box.bottom) > 1) return false;
  const isThin = Math.min(box.right - box.left, box.bottom - box.top) < leastExtent;
  return !isThin && !points.every(Number.isInteger);
}

/** The task as an importer of pixels sees it: shapes in fractions are refused with `ShapeError`. */
export function refusingFractions(task_data: TaskData): TaskData {
  const unitsOf = createUnitReader();
  const mayBe = (shape: LabeledShape): boolean => {
    const read = unitsOf(shape);
    return !read || (read.units[0] ?? 0) <= read.power;
  };
  return withOverrides(task_data, {
    add_shape(shape) {
      if (mayBe(shape) && looksLikeFractions(shape)) {
        const { width = 0, height = 0 } = task_data.frame_info(shape.frame) ?? {};
        if (width > 2 && height > 2)
          throw new ShapeError('its coordinates look like fractions of the image, not like pixels');
      }
      task_data.add_shape(shape);
    },
  });
}
