export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}

export const inMilliseconds = (value: number): string => `${figure(value)} ms`;
export const inSeconds = (milliseconds: number): string => `${figure(milliseconds / 1000)} s`;
export const inMegabytes = (bytes: number | null): string => (bytes === null ? '–' : `${figure(bytes / 1e6)} MB`);
export const asRatio = (value: number, anchor: number): string => `${figure(value / anchor)} ×`;
