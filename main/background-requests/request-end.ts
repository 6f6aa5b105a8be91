import { isoAfter } from '../platform/clock.ts';
import { AppError, storageFailure } from '../platform/errors.ts';
import type { RequestEnd } from './request-repository.ts';

export interface RequestResult {
  readonly message?: string;
  /** JSON of a format report. */
  readonly report?: string;
  /** File for download, deleted when the request expires. */
  readonly resultFile?: string;
  readonly resultName?: string;
  readonly resultId?: number;
}

/** An expected failure with a report, for example of a rejected import. */
export class RequestFailure extends AppError {
  readonly report: string | undefined;
  constructor(message: string, report?: string) {
    super('invalid', message);
    this.report = report;
  }
}

const hourMs = 3600 * 1000;
export const keptMs = { exported: 24 * hourMs, finished: hourMs, failed: 30 * 24 * hourMs };

const endOf = (status: RequestEnd['status'], result: RequestResult, now: string, forMs: number): RequestEnd => ({
  status,
  message: result.message ?? '',
  report: result.report ?? null,
  result_file: result.resultFile ?? null,
  result_name: result.resultName ?? null,
  result_id: result.resultId ?? null,
  finished_date: now,
  expiry_date: isoAfter(now, forMs),
});

export const finishedEnd = (result: RequestResult, now: string): RequestEnd =>
  endOf('finished', result, now, result.resultFile === undefined ? keptMs.finished : keptMs.exported);

export function failedEnd(error: unknown, cancelled: boolean, now: string): RequestEnd {
  const report = error instanceof RequestFailure ? error.report : undefined;
  // A cancelled request that keeps partial results reports that itself.
  const isUndone = cancelled && !(error instanceof RequestFailure);
  const message = isUndone ? 'Cancelled. Nothing was changed.' : sentence(error);
  return endOf('failed', { message, report }, now, keptMs.failed);
}

function sentence(error: unknown): string {
  const failure = storageFailure(error);
  if (failure) return failure.message;
  if (error instanceof AppError && error.code !== 'internal') return error.message;
  return 'An unexpected error occurred; the log has the details. Nothing was changed.';
}
