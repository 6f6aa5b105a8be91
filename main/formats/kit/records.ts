import { AppError } from '../../platform/errors.ts';
import type { FormatReport } from './report.ts';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** A record of a file, or a part of it, that cannot be used. `at` is the path below the record. */
export class RecordError extends Error {
  readonly at: string;

  constructor(at: string, message: string) {
    super(message);
    this.name = 'RecordError';
    this.at = at;
  }
}

/** A string or number as text; '' for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function brief(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/** An optional object member. Throws `RecordError` for a value of another type. */
export function optionalRecord(value: unknown, at: string): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw new RecordError(at, `must be an object, but is ${brief(value)}`);
  return value;
}

/** Message of an `AppError('invalid')`; rethrows other errors. */
export function faultOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'invalid') return error.message;
  throw error;
}

/** Reports an error of a record with its place in the file; rethrows other errors. */
export function reportRecord(report: FormatReport, file: string, at: string, error: unknown): void {
  if (!(error instanceof RecordError)) throw error;
  report.invalid(file, error.at === '' ? at : `${at}.${error.at}`, error.message);
}

/** Runs `use` and reports an error of the record with its place in the file. */
export type RecordGuard = (at: string, use: () => void) => void;

export function createRecordGuard(report: FormatReport, file: string): RecordGuard {
  return (at, use) => {
    try {
      use();
    } catch (error) {
      reportRecord(report, file, at, error);
    }
  };
}
