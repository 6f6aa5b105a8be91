/** What a COCO instances file holds, as far as it is read. Everything is unchecked input. */
export interface CocoAnnotation {
  readonly id?: unknown;
  readonly image_id?: unknown;
  readonly category_id?: unknown;
  readonly segmentation?: unknown;
  readonly bbox?: unknown;
  readonly area?: unknown;
  readonly iscrowd?: unknown;
  readonly score?: unknown;
  readonly attributes?: unknown;
  readonly keypoints?: unknown;
  readonly num_keypoints?: unknown;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** An annotation, or a part of it, that cannot be used: `at` is the path below the annotation. */
export class CocoError extends Error {
  readonly at: string;

  constructor(at: string, message: string) {
    super(message);
    this.name = 'CocoError';
    this.at = at;
  }
}

/** A text or a number as text; empty for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** For messages: what a value is, briefly. */
export function brief(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/**
 * Adds or subtracts coordinates that have few decimals without the noise of binary fractions: 10.1 + 20.2 is 30.3.
 * Values with more than six decimals are left as the plain sum.
 */
export function addDecimals(a: number, b: number): number {
  const sum = a + b;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return Math.abs(rounded - sum) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1) ? rounded : sum;
}

/** The nearest number that JSON can hold: results of absurd coordinates may lie beyond the doubles. */
export function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  return value > 0 ? Number.MAX_VALUE : 0;
}
