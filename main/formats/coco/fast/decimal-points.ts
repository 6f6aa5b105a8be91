import type { Attribute, FixedPoints, LabeledShape } from '../../kit/task-data.ts';

/**
 * A polygon whose coordinates are units[from …] / 10^exponent, as the file writes them. The units belong to a batch of
 * annotations and are valid only until the next batch is decoded.
 */
export class DecimalPoints implements FixedPoints {
  readonly count: number;
  readonly exponent: number;
  /** Shared by all polygons of a batch. */
  readonly #units: Int32Array;
  readonly #from: number;

  constructor(units: Int32Array, from: number, count: number, exponent: number) {
    this.#units = units;
    this.#from = from;
    this.count = count;
    this.exponent = exponent;
  }

  get capacity(): number {
    return this.count;
  }

  isOnePoint(): boolean {
    const [units, from] = [this.#units, this.#from];
    for (let index = 2; index < this.count; index += 1)
      if (units[from + index] !== units[from + (index % 2)]) return false;
    return true;
  }

  read(target: Int32Array): { count: number; exponent: number } {
    const { count, exponent } = this;
    const units = this.#units;
    const from = this.#from;
    for (let index = 0; index < count; index += 1) target[index] = units[from + index]!;
    return { count, exponent };
  }

  numbers(): number[] {
    const power = 10 ** this.exponent;
    return Array.from(this.#units.subarray(this.#from, this.#from + this.count), (unit) => unit / power);
  }
}

/** A class, because object literals with a getter take twenty times as long to create. */
export class DecimalPolygon implements LabeledShape {
  readonly type = 'polygon';
  readonly frame: number;
  readonly label: string;
  readonly fixed_points: DecimalPoints;
  readonly occluded: boolean;
  readonly attributes: readonly Attribute[];
  readonly group = 0;
  readonly z_order: number;
  declare readonly area?: number;

  constructor(
    points: DecimalPoints,
    {
      frame,
      label,
      attributes,
      occluded,
      z_order,
    }: Pick<LabeledShape, 'frame' | 'label' | 'attributes' | 'occluded' | 'z_order'>,
    area: number | undefined,
  ) {
    this.frame = frame;
    this.label = label;
    this.fixed_points = points;
    this.occluded = occluded;
    this.attributes = attributes;
    this.z_order = z_order;
    if (area !== undefined) this.area = area;
  }

  get points(): readonly number[] {
    return this.fixed_points.numbers();
  }
}
