import { encodeFixedInto, encodePointsInto, maximumEncodedLength } from '../../db/points-codec.ts';
import type { LabeledShape } from '../../formats/kit/task-data.ts';
import { integerColumn, integerColumns, realColumn, realColumns, type ShapeBatch } from './annotation-batch.ts';

export interface ShapeFields {
  readonly frame: number;
  readonly labelId: number;
  readonly type: number;
  readonly source: number;
  readonly flags: number;
  readonly zOrder: number;
  readonly group: number;
  readonly rotation: number;
  readonly score: number;
  readonly area: number | undefined;
  /** Its numbers. */
  readonly shape: Pick<LabeledShape, 'points' | 'fixed_points'>;
  readonly attributes: string | null;
}

const capacity = 2000;
const initialPointBytes = 512 * 1024;

const countOf = ({ shape }: ShapeFields): number => shape.fixed_points?.capacity ?? shape.points.length;

/** Fills one batch after another; a skeleton and its elements never part. */
export function createShapeBatchBuilder(send: (batch: ShapeBatch) => void) {
  let current = startBatch();
  let units = new Int32Array(4096);

  function startBatch() {
    return {
      count: 0,
      integers: new Int32Array(integerColumns * capacity),
      reals: new Float64Array(realColumns * capacity),
      offsets: new Uint32Array(capacity + 1),
      points: new Uint8Array(initialPointBytes),
      parents: new Int32Array(capacity),
      attributes: [] as (string | null)[],
    };
  }

  function flush(): void {
    if (current.count === 0) return;
    const batch = current;
    current = startBatch();
    send({ kind: 'shapes', capacity, ...batch });
  }

  function reserve(rows: number, numbers: number): void {
    if (rows > capacity) throw new RangeError(`A skeleton has more than ${capacity} elements.`);
    if (current.count + rows > capacity) flush();
    const used = current.offsets[current.count] ?? 0;
    const needed = used + maximumEncodedLength(numbers) + rows * 16;
    if (needed <= current.points.length) return;
    const grown = new Uint8Array(Math.max(needed, current.points.length * 2));
    grown.set(current.points.subarray(0, used));
    current.points = grown;
  }

  /** The numbers as their file has them, where they came so: that spares the way through doubles. */
  function encode(offset: number, shape: ShapeFields['shape']): number {
    const fixed = shape.fixed_points;
    if (fixed && fixed.capacity > units.length) units = new Int32Array(fixed.capacity * 2);
    const read = fixed?.read(units);
    if (read) return encodeFixedInto(current.points, offset, units, read.count, read.exponent);
    return encodePointsInto(current.points, offset, shape.points);
  }

  function put(shape: ShapeFields, parent: number): number {
    const row = current.count;
    const { integers, reals } = current;
    integers[integerColumn.frame * capacity + row] = shape.frame;
    integers[integerColumn.label * capacity + row] = shape.labelId;
    integers[integerColumn.type * capacity + row] = shape.type;
    integers[integerColumn.source * capacity + row] = shape.source;
    integers[integerColumn.flags * capacity + row] = shape.flags;
    integers[integerColumn.zOrder * capacity + row] = shape.zOrder;
    integers[integerColumn.group * capacity + row] = shape.group;
    reals[realColumn.rotation * capacity + row] = shape.rotation;
    reals[realColumn.score * capacity + row] = shape.score;
    reals[realColumn.area * capacity + row] = shape.area ?? Number.NaN;
    current.parents[row] = parent;
    current.attributes.push(shape.attributes);
    current.offsets[row + 1] = encode(current.offsets[row] ?? 0, shape.shape);
    current.count += 1;
    return row;
  }

  return {
    add(shape: ShapeFields, elements: readonly ShapeFields[]): void {
      const numbers = elements.reduce((sum, element) => sum + countOf(element), countOf(shape));
      reserve(1 + elements.length, numbers);
      const row = put(shape, -1);
      for (const element of elements) put(element, row);
    },
    flush,
  };
}
