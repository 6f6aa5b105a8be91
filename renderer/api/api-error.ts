/** What went wrong with a call, in the kinds that the screens treat differently. */
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
  /** HTTP status; 0 when no answer came. */
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

/** Collects the sentences of the service's error bodies: a string, a list, `{detail}` or `{field: [sentences]}`. */
export function sentencesOf(body: unknown, field = ''): string[] {
  if (typeof body === 'string') return body === '' ? [] : [field === '' ? body : `${field}: ${body}`];
  if (Array.isArray(body)) return body.flatMap((item: unknown) => sentencesOf(item, field));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const plain = key === 'detail' || key === 'non_field_errors' || key === 'message';
    return sentencesOf(value, plain ? field : field === '' ? key : `${field}.${key}`);
  });
}

export function errorFromAnswer(status: number, body: unknown): ApiError {
  const sentences = sentencesOf(body);
  const message = sentences.length > 0 ? sentences.join(' ') : `The service answered with status ${status}.`;
  return new ApiError(kindOfStatus(status), status, message, body);
}

export const unreachable = (): ApiError => new ApiError('unreachable', 0, "Limner's service does not answer.");

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
