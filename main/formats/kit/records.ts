export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** A record of a file, or a part of it, that cannot be used: `at` is the path below the record. */
export class RecordError extends Error {
  readonly at: string;

  constructor(at: string, message: string) {
    super(message);
    this.name = 'RecordError';
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
