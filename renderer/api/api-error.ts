import { messageOfAnswer } from '../../preload/contract/client.ts';

/** Failures of a call, as far as screens treat them differently. */
export type ApiErrorKind =
  | 'unreachable'
  | 'signed-out'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'disk-full'
  | 'refused'
  | 'server';

export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly body: unknown;

  constructor(kind: ApiErrorKind, status: number, message: string, body?: unknown) {
    super(message);
    this.name = 'ApiError';
    this.kind = kind;
    this.status = status;
    this.body = body;
  }
}

const kindOfStatus = (status: number): ApiErrorKind => {
  if (status === 401) return 'signed-out';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  if (status === 409) return 'conflict';
  if (status === 507) return 'disk-full';
  return status >= 500 ? 'server' : 'refused';
};

export const errorFromAnswer = (status: number, body: unknown): ApiError =>
  new ApiError(kindOfStatus(status), status, messageOfAnswer(status, body), body);

export const unreachable = (): ApiError => new ApiError('unreachable', 0, "Limner's service does not answer.");

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
