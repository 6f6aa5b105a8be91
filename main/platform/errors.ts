/** Every error that a person or a client may see has one of these codes; http/errors.ts gives each its status. */
export const errorStatus = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  'wrong-host': 403,
  throttled: 429,
  cancelled: 499,
  internal: 500,
  unavailable: 503,
  timeout: 504,
  'storage-full': 507,
} as const;
export type ErrorCode = keyof typeof errorStatus;

/**
 * An error with a sentence for the person: what happened, what was kept, what to do next.
 * `details`, when given, is the JSON body that the service API answers with (for example `{ name: ['…'] }`).
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

/** An error whose status and sentence come from another program, or are what clients of one expect: a JSON string. */
export class ForwardedError extends AppError {
  readonly status: number;

  constructor(status: number, message: string, options?: { cause?: unknown }) {
    super('unavailable', message, message, options);
    this.status = status;
  }
}

/** A 400 about one field: `{ field: [message] }`. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('invalid', message, { [field]: [message] });
}

export function notFound(message = 'Not found.'): AppError {
  return new AppError('not-found', message, { detail: message });
}

/** True for the operating system's and SQLite's ways of saying that the disk is full. */
export function isStorageFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL';
}
