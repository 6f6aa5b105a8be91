import type { LabeledShape } from './task-data.ts';

interface FixedUnits {
  /** Lent: good until the next shape is read. */
  readonly units: Int32Array;
  readonly count: number;
  /** Units of one pixel. */
  readonly power: number;
}

/** Reads the numbers of shapes as whole units, without decoding them; undefined where they have no such form. */
export function createUnitReader(): (shape: LabeledShape) => FixedUnits | undefined {
  let units = new Int32Array(4096);
  return ({ fixed_points: fixed }) => {
    if (!fixed) return undefined;
    if (fixed.capacity > units.length) units = new Int32Array(fixed.capacity * 2);
    const read = fixed.read(units);
    return read ? { units, count: read.count, power: 10 ** read.exponent } : undefined;
  };
}
