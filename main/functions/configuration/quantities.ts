/** Parses Kubernetes quantities and Go durations from strings or numbers. Undefined if invalid. */

const binarySuffixes: Readonly<Record<string, number>> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};
const decimalSuffixes: Readonly<Record<string, number>> = {
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
};

/** For example `2`, `"500m"`, `"1.5Gi"`, `1e9`. */
export function parseQuantity(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const match = /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([eE][+-]?\d{1,2})|(Ki|Mi|Gi|Ti|Pi|[mkMGTP]))?$/.exec(value.trim());
  if (!match) return undefined;
  const [, digits = '', exponent = '', suffix = ''] = match;
  const factor = binarySuffixes[suffix] ?? decimalSuffixes[suffix];
  return factor === undefined ? undefined : Number(digits + exponent) * factor;
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** For example `30s`, `1m30s`, `0.5h`; a bare number is in seconds. Returns milliseconds, rounded up. */
export function parseDurationMs(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1000) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * (unitMs[unit ?? ''] ?? 0);
  }
  return Math.ceil(total);
}

/** Human-readable size: `1.5 GiB`, `512 MiB`, `900 bytes`. */
export function byteText(bytes: number): string {
  const steps: readonly (readonly [number, string])[] = [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ];
  for (const [size, name] of steps) {
    if (bytes >= size) return `${Number((bytes / size).toFixed(bytes / size >= 100 ? 0 : 1))} ${name}`;
  }
  return `${bytes} bytes`;
}
