import { boxOfPoints } from '../../../preload/geometry/geometry.ts';
import { createUnitReader } from './fixed-units.ts';
import { ShapeError } from './frame-guard.ts';
import type { LabeledShape, TaskData } from './task-data.ts';
import { withOverrides } from './with-overrides.ts';

/**
 * Reason why numbers are not fractions of the image, or undefined. A value may be slightly outside (it is cut), but not
 * by the width of the image. `whole` is the full side: 1, or 100 for percent.
 */
export function sharesProblem(values: readonly number[], whole = 1): string | undefined {
  const wrong = values.find((value) => value > 2 * whole || value < -whole);
  if (wrong === undefined) return undefined;
  const unit = whole === 1 ? 'fractions' : 'percent';
  return `${Number(wrong.toPrecision(6))} is outside 0 to ${whole}: these look like pixels, not like ${unit} of the image`;
}

/** A smaller box has almost no extent in any unit. */
const leastExtent = 0.01;

/**
 * True if all points are in the first pixel, as in a file of fractions read as pixels. Integers may really mean that
 * pixel.
 */
function looksLikeFractions({ type, points }: LabeledShape): boolean {
  if (type !== 'rectangle' && type !== 'polygon') return false;
  const box = boxOfPoints(points);
  if (!box || Math.min(box.left, box.top) < 0 || Math.max(box.right, box.bottom) > 1) return false;
  const isThin = Math.min(box.right - box.left, box.bottom - box.top) < leastExtent;
  return !isThin && !points.every(Number.isInteger);
}

/** Wraps the task for importers of pixels: shapes in fractions throw `ShapeError`. */
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
