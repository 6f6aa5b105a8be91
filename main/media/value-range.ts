import type { ValueWindow } from '../../preload/geometry/value-window.ts';

export interface ValueRange {
  readonly low: number;
  readonly high: number;
  /** Largest of all values; -Infinity if there are none. */
  readonly largest: number;
  /** True if some values are NaN. */
  readonly hasHoles: boolean;
}

export type Samples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Values of this size mark missing measurements: the largest numbers of 32-bit floats, positive and negative. */
const missing = 1e38;
const sampleLimit = 1_000_000;

/**
 * Finds percentiles of many values, from an even sample of at most a million.
 * @param total number of values to expect
 * @param noData a value that marks a missing measurement (GDAL's tag 42113)
 */
export function createRangeFinder(total: number, noData: number | null = null) {
  const every = Math.max(1, Math.ceil(total / sampleLimit));
  const picked = new Float64Array(Math.ceil(total / every));
  let [seen, count, largest, hasHoles] = [0, 0, -Infinity, false];
  return {
    add(samples: Samples): void {
      for (const value of samples) {
        const isPicked = seen % every === 0;
        seen += 1;
        if (Number.isNaN(value)) hasHoles = true;
        if (value === noData || !(Math.abs(value) < missing)) continue;
        if (value > largest) largest = value;
        if (isPicked) picked[count++] = value;
      }
    },
    /** Largest value so far; -Infinity before the first. */
    largest: () => largest,
    range([low, high]: ValueWindow): ValueRange {
      const sorted = picked.subarray(0, count).sort();
      const at = (index: number): number => sorted[Math.min(count - 1, Math.max(0, index))] ?? 0;
      return {
        low: at(Math.floor((low / 100) * count)),
        high: at(Math.ceil((high / 100) * count) - 1),
        largest,
        hasHoles,
      };
    },
  };
}
