/** Percentiles of the values that become black and white. */
export type ValueWindow = readonly [low: number, high: number];

/**
 * The display of an image without a choice. Excludes a few hot pixels of a sensor, which would darken everything else.
 * Files of up to a thousand values use their full range.
 */
export const defaultWindow: ValueWindow = [0.1, 99.9];
