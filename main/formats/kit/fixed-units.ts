import type { LabeledShape } from './task-data.ts';

interface FixedUnits {
  /** Shared buffer: valid only until the next shape is read. */
  readonly units: Int32Array;
  readonly count: number;
  /** Units per pixel. */
  readonly power: number;
}

/**
 * Creates a reader of coordinates as integers, without decoding them. It returns undefined for shapes that are stored
 * in another form.
 */
export function createUnitReader(): (shape: LabeledShape) => FixedUnits | undefined {
  let units = new Int32Array(4096);
  return ({ fixed_points: fixed }) => {
    if (!fixed) return undefined;
    if (fixed.capacity > units.length) units = new Int32Array(fixed.capacity * 2);
    const read = fixed.read(units);
    return read ? { units, count: read.count, power: 10 ** read.exponent } : undefined;
  };
}
