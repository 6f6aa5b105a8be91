import type { ModelInput, ModelReading } from '../../../preload/contract/schema/model-files.ts';

/** Settings that a file beside a model tells; null if it does not. */
export interface Configuration {
  readonly fileName: string;
  /** Metadata as Ultralytics writes it into ONNX files. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly labels: readonly string[] | null;
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly normalization: Pick<ModelInput, 'divisor' | 'mean' | 'deviation'> | null;
  readonly colour: ModelInput['colour'] | null;
  readonly fit: ModelInput['fit'] | null;
  readonly smooth: boolean | null;
  readonly result: ModelReading['result'] | null;
  readonly threshold: number | null;
  readonly overlap: number | null;
  /** Name of another file that it describes. */
  readonly otherFile: string | null;
}

export interface ReadConfigurations {
  readonly configurations: readonly Configuration[];
  /** Names of files that are not a known configuration. */
  readonly unread: readonly string[];
}

export const emptyConfiguration: Omit<Configuration, 'fileName'> = {
  metadata: null,
  labels: null,
  size: null,
  normalization: null,
  colour: null,
  fit: null,
  smooth: null,
  result: null,
  threshold: null,
  overlap: null,
  otherFile: null,
};

export type Parsed = Readonly<Record<string, unknown>>;

export const asRecord = (value: unknown): Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parsed) : {};

export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const maxLabels = 100_000;

/** Names as a list, or by their number as in `id2label`; null if there are none. */
export function labelsOf(value: unknown): string[] | null {
  if (Array.isArray(value)) {
    const names = value.map((name, index) => String(name) || `label ${index}`);
    return names.length === 0 || names.length > maxLabels ? null : names;
  }
  const byNumber = new Map(Object.entries(asRecord(value)).map(([key, name]) => [Number(key), String(name)]));
  const count = Math.max(-1, ...byNumber.keys()) + 1;
  if (!Number.isInteger(count) || count < 1 || count > maxLabels) return null;
  return Array.from({ length: count }, (_, index) => byNumber.get(index) || `label ${index}`);
}

/** Three numbers, or one that holds for all channels. */
function channelsOf(value: unknown): number[] | null {
  const list = Array.isArray(value) ? value.map(asNumber) : [value, value, value].map(asNumber);
  const numbers = list.filter((one) => one !== null);
  return list.length === 3 && numbers.length === 3 ? numbers : null;
}

/** A valid size of a model input. */
export function sizeOf(width: unknown, height: unknown): Configuration['size'] {
  const isSide = (side: unknown): side is number =>
    typeof side === 'number' && Number.isInteger(side) && side >= 8 && side <= 8192;
  return isSide(width) && isSide(height) ? { width, height } : null;
}

/** @param scale factor of pixel values before mean and deviation */
export function normalizationOf(scale: unknown, mean: unknown, deviation: unknown): Configuration['normalization'] {
  const factor = asNumber(scale);
  const [means, deviations] = [channelsOf(mean), channelsOf(deviation)];
  if (factor === null || factor <= 0 || means === null || deviations === null) return null;
  if (deviations.some((one) => one < 0.0001)) return null;
  // 1 / 255 as a decimal number.
  const divisor = Math.abs(factor * 255 - 1) < 0.0001 ? 255 : 1 / factor;
  return divisor < 0.001 || divisor > 65_536 ? null : { divisor, mean: means, deviation: deviations };
}
