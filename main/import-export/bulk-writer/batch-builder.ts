import type { AnnotationSource, ShapeType } from '../../../preload/contract/schema/annotations.ts';
import { encodeFixedInto, encodePoints, encodePointsInto, maximumEncodedLength } from '../../db/points-codec.ts';
import type { LabeledShape } from '../../formats/kit/task-data.ts';
import { flagsOf, sourceCode, typeCode } from '../../work/annotations/annotation-rows.ts';
import {
  integerColumn,
  integerColumns,
  realColumn,
  realColumns,
  type AnnotationBatch,
  type ShapeBatch,
  type TagBatchRow,
  type TrackBatchRow,
} from './annotation-batch.ts';

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
  /** Source of the points. */
  readonly shape: Pick<LabeledShape, 'points' | 'fixed_points'>;
  readonly attributes: string | null;
}

/** Fields of a row with resolved ids: label and packed attributes. */
interface Known {
  readonly frame: number;
  readonly labelId: number;
  readonly attributes: string | null;
}

type Sourced = { readonly source?: AnnotationSource; readonly group?: number | null | undefined };
type Drawn = { readonly type: ShapeType; readonly z_order: number } & Parameters<typeof flagsOf>[0];

/** Imported annotations have the source `file` unless the file states another one. */
export const tagRow = ({ source, group }: Sourced, known: Known): TagBatchRow => ({
  ...known,
  source: sourceCode(source ?? 'file'),
  group: group ?? 0,
});

export const shapeFields = (
  shape: Sourced & Drawn & ShapeFields['shape'] & { rotation?: number; score?: number; area?: number | undefined },
  { frame, labelId, attributes }: Known,
): ShapeFields => ({
  frame,
  labelId,
  attributes,
  source: sourceCode(shape.source ?? 'file'),
  group: shape.group ?? 0,
  type: typeCode(shape.type),
  flags: flagsOf(shape),
  zOrder: shape.z_order,
  rotation: shape.rotation ?? 0,
  score: shape.score ?? 1,
  area: shape.area,
  shape,
});

export const keyframeRow = (
  shape: Drawn & { readonly rotation: number; readonly points: readonly number[] },
  { frame, attributes }: Omit<Known, 'labelId'>,
): TrackBatchRow['shapes'][number] => ({
  frame,
  type: typeCode(shape.type),
  flags: flagsOf(shape),
  zOrder: shape.z_order,
  rotation: shape.rotation,
  points: encodePoints(shape.points),
  attributes,
});

const capacity = 2000;
const initialPointBytes = 512 * 1024;
const smallBatch = 500;

const countOf = ({ shape }: ShapeFields): number => shape.fixed_points?.capacity ?? shape.points.length;

/** Fills batches of shapes. A skeleton and its elements stay in one batch. */
function createShapeBatchBuilder(send: (batch: ShapeBatch) => void) {
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

  /** Encodes fixed-point numbers directly if available, which avoids doubles. */
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

/** Collects rows of all kinds and sends them in batches. */
export function createBatchBuilder(send: (batch: AnnotationBatch) => void) {
  const shapes = createShapeBatchBuilder(send);
  let tags: TagBatchRow[] = [];
  let tracks: TrackBatchRow[] = [];

  function flush(): void {
    if (tags.length > 0) send({ kind: 'tags', rows: tags });
    if (tracks.length > 0) send({ kind: 'tracks', rows: tracks });
    tags = [];
    tracks = [];
  }

  return {
    addShape: shapes.add,
    addTag(row: TagBatchRow): void {
      if (tags.push(row) >= smallBatch) flush();
    },
    /** Segments of one track stay together. */
    addTracks(rows: readonly TrackBatchRow[]): void {
      if (tracks.push(...rows) >= smallBatch) flush();
    },
    end(): void {
      shapes.flush();
      flush();
      send({ kind: 'end' });
    },
  };
}
