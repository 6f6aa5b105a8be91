import { AppError, errorStatus, type ErrorCode, ForwardedError, storageFailure } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { emptyAnswer, jsonAnswer, textAnswer } from './responses.ts';

const storeBusy = 'The store is busy with other work. Nothing was changed; try again.';

const defaultRetryAfterSeconds = 10;

/** Answer to any thrown value. Internal errors are logged, and the answer contains only the request's id. */
export function errorAnswer(error: unknown, requestId: string, log: Logger): Response {
  if (error instanceof ForwardedError) return jsonAnswer(error.message, error.status);
  if (error instanceof AppError && error.code !== 'internal') return expected(error, requestId, log);
  const failure = storageFailure(error);
  if (failure) return expected(failure, requestId, log);
  if (isClientGone(error)) return emptyAnswer(errorStatus.cancelled);
  if (isStoreBusy(error)) return jsonAnswer({ detail: storeBusy }, errorStatus.unavailable);
  log.error('A request failed', { request: requestId, error });
  const detail = `Unexpected error. The log contains the details under the id ${requestId}.`;
  return jsonAnswer({ detail }, errorStatus.internal);
}

const storageLog: Partial<Record<ErrorCode, string>> = {
  'storage-full': 'The disk is full',
  'storage-broken': 'The disk has failed',
  'store-damaged': 'The store is damaged',
};

function expected(error: AppError, requestId: string, log: Logger): Response {
  const status = errorStatus[error.code];
  const failed = storageLog[error.code];
  if (failed !== undefined) log.error(failed, { request: requestId, error: error.cause ?? error });
  const answer = body(error, status);
  if (error.code === 'unauthenticated') answer.headers.set('WWW-Authenticate', 'Token');
  if (error.code === 'throttled') answer.headers.set('Retry-After', String(retryAfterSeconds(error)));
  if (error.code === 'method-not-allowed') answer.headers.set('Allow', allowedMethods(error));
  return answer;
}

/** Text details are answered as plain text where clients expect it (404 and 410), otherwise as a JSON string. */
function body(error: AppError, status: number): Response {
  if (error.details === undefined) return jsonAnswer({ detail: error.message }, status);
  const isPlain = typeof error.details === 'string' && (status === 404 || status === 410);
  return isPlain ? textAnswer(String(error.details), status) : jsonAnswer(error.details, status);
}

function retryAfterSeconds(error: AppError): number {
  const seconds = (error.cause as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds;
  return typeof seconds === 'number' ? seconds : defaultRetryAfterSeconds;
}

function allowedMethods(error: AppError): string {
  const allow = (error.cause as { allow?: unknown } | undefined)?.allow;
  return typeof allow === 'string' ? allow : '';
}

export function isClientGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isCut = (error as NodeJS.ErrnoException).code === 'ECONNRESET' && error.message === 'aborted';
  return isCut || error.name === 'AbortError';
}

function isStoreBusy(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY');
}
