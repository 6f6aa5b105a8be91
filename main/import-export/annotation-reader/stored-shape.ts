import type { AnnotationSource, ShapeType } from '../../../preload/contract/schema/annotations.ts';
import { decodeFixedIn, decodePoints } from '../../db/points-codec.ts';
import type { Attribute, FixedPoints, LabeledShape } from '../../formats/kit/task-data.ts';
import { isOccluded, isOutside, sourceOf, typeOf } from '../../work/annotations/annotation-rows.ts';
import { integerColumn, realColumn } from '../bulk-writer/annotation-batch.ts';
import type { StoredShapeBatch } from '../bulk-writer/stored-shape-batch.ts';

export interface RowNames {
  labelName(id: number): string;
  packedAttributes(text: string | null): readonly Attribute[];
}

/** Packed points. Exporters of decimal digits read them as integers, which avoids doubles. */
class StoredPoints implements FixedPoints {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }
  /** Each number takes at least one byte. */
  get capacity(): number {
    return this.#end - this.#start;
  }
  read(target: Int32Array) {
    return decodeFixedIn(this.#bytes, this.#start, this.#end, target);
  }
}

/** One row of a batch for format plug-ins. Points are unpacked on first access. */
export class StoredShape implements LabeledShape {
  readonly type: ShapeType;
  readonly frame: number;
  readonly label: string;
  readonly occluded: boolean;
  readonly outside: boolean;
  readonly attributes: readonly Attribute[];
  readonly group: number;
  readonly z_order: number;
  readonly rotation: number;
  readonly source: AnnotationSource;
  readonly score: number;
  declare readonly area?: number;
  declare readonly elements?: readonly LabeledShape[];
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  #points: readonly number[] | undefined;

  constructor(batch: StoredShapeBatch, row: number, names: RowNames, elements?: readonly LabeledShape[]) {
    const { integers, reals, offsets, capacity } = batch;
    const flags = integers[integerColumn.flags * capacity + row] ?? 0;
    const area = reals[realColumn.area * capacity + row] ?? Number.NaN;
    this.type = typeOf(integers[integerColumn.type * capacity + row] ?? 0);
    this.frame = integers[integerColumn.frame * capacity + row] ?? 0;
    this.label = names.labelName(integers[integerColumn.label * capacity + row] ?? 0);
    this.occluded = isOccluded(flags);
    this.outside = isOutside(flags);
    this.attributes = names.packedAttributes(batch.attributes[row] ?? null);
    this.group = integers[integerColumn.group * capacity + row] ?? 0;
    this.z_order = integers[integerColumn.zOrder * capacity + row] ?? 0;
    this.rotation = reals[realColumn.rotation * capacity + row] ?? 0;
    this.source = sourceOf(integers[integerColumn.source * capacity + row] ?? 0);
    this.score = reals[realColumn.score * capacity + row] ?? 0;
    if (!Number.isNaN(area)) this.area = area;
    if (elements) this.elements = elements;
    this.#bytes = batch.points;
    this.#start = offsets[row] ?? 0;
    this.#end = offsets[row + 1] ?? 0;
  }

  get points(): readonly number[] {
    this.#points ??= decodePoints(this.#bytes.subarray(this.#start, this.#end));
    return this.#points;
  }

  get fixed_points(): FixedPoints {
    return new StoredPoints(this.#bytes, this.#start, this.#end);
  }
}
