import { numbersOf, type Outputs } from '../tensor.ts';

/** Values of one column, or of a complete output. */
export interface Range {
  readonly min: number;
  readonly max: number;
  /** True if all values are integers. */
  readonly isWhole: boolean;
}

/** Output of a trial run. */
export interface Observed extends Range {
  readonly dims: readonly number[];
  readonly type: string;
  /** By index of the last axis, for at most 512 of them. */
  readonly columns: readonly Range[];
  /** True if the values along the last axis sum to 1 everywhere. */
  readonly isDistribution: boolean;
  /** Share of rows whose third number is larger than the first and whose fourth is larger than the second. */
  readonly cornerShare: number;
}

export interface TrialRun {
  /** Size of the image that was passed, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly outputs: Readonly<Record<string, Observed>>;
}

const maxColumns = 512;

export function observe(outputs: Outputs): Record<string, Observed> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, tensor]): [string, Observed] => {
      const values = numbersOf(tensor);
      const { dims, type } = tensor;
      const size = Math.max(1, dims.at(-1) ?? 1);
      const rows = values.length / size;
      const columns =
        size > maxColumns ? [] : Array.from({ length: size }, (_, column) => rangeOf(values, column, size));
      const all = columns.length === 0 ? rangeOf(values, 0, 1) : joined(columns);
      return [name, { dims, type, ...all, columns, ...sharesOf(values, rows, size) }];
    }),
  );
}

function rangeOf(values: ArrayLike<number>, start: number, step: number): Range {
  let [min, max, isWhole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (let index = start; index < values.length; index += step) {
    const value = values[index] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
    isWhole &&= Number.isInteger(value);
  }
  return { min, max, isWhole };
}

const joined = (ranges: readonly Range[]): Range => ({
  min: Math.min(...ranges.map(({ min }) => min)),
  max: Math.max(...ranges.map(({ max }) => max)),
  isWhole: ranges.every(({ isWhole }) => isWhole),
});

function sharesOf(values: ArrayLike<number>, rows: number, size: number) {
  let [corners, isDistribution] = [0, rows > 0 && size > 1];
  for (let row = 0; row < rows; row += 1) {
    const at = (column: number) => values[row * size + column] ?? 0;
    if (at(2) > at(0) && at(3) > at(1)) corners += 1;
    if (!isDistribution) continue;
    let sum = 0;
    for (let column = 0; column < size; column += 1) sum += at(column);
    isDistribution = Math.abs(sum - 1) < 0.01;
  }
  return { isDistribution, cornerShare: rows === 0 ? 0 : corners / rows };
}
