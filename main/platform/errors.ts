/** Codes of errors that users and clients may see; http/errors.ts maps them to a status. */
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
  'storage-broken': 503,
  'store-damaged': 503,
} as const;
export type ErrorCode = keyof typeof errorStatus;

/**
 * An error with a message for the user: what failed, why, and what to do. `details` is an optional JSON body for the
 * service API's response (for example `{ name: ['…'] }`).
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

/** An error whose status and message come from another program, or are expected by its clients: a JSON string. */
export class ForwardedError extends AppError {
  readonly status: number;

  constructor(status: number, message: string, options?: { cause?: unknown }) {
    super('unavailable', message, message, options);
    this.status = status;
  }
}

export function invalidField(field: string, message: string): AppError {
  return new AppError('invalid', message, { [field]: [message] });
}

/** A 400 about the entire request, in the form that clients expect: a list with the message. */
export const invalidRequest = (message: string) => new AppError('invalid', message, [message]);

export function notFound(message = 'Not found.'): AppError {
  return new AppError('not-found', message);
}

/** Returns the object. @throws AppError 404 if it is undefined */
export function orNotFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw notFound();
  return found;
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

/** True for the operating system's and SQLite's errors of a full disk. */
export const isStorageFull = (error: unknown): boolean => /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(codeOf(error));

/** SQLite read an invalid page, or a file that is not a database. */
export const isStoreDamaged = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** The disk itself failed; it is neither full nor lacks permissions. */
const isStorageBroken = (error: unknown): boolean => /^(EIO|SQLITE_IOERR)/.test(codeOf(error));

const storageSentences = [
  [
    isStorageFull,
    'storage-full',
    "The disk with Limner's data is full. Data that was saved before is not lost; free some space and try again.",
  ],
  [
    isStorageBroken,
    'storage-broken',
    "Cannot read or write the disk with Limner's data (input/output error). Nothing was changed. " +
      'Check the disk and its connection, copy the data directory to another disk, then try again.',
  ],
  [
    isStoreDamaged,
    'store-damaged',
    'The store of Limner is damaged: part of its file cannot be read. Nothing was changed; images are not in ' +
      'that file. Stop Limner; "limner store check" describes the damage, "limner store copies" lists the earlier ' +
      'copies that can be restored.',
  ],
] as const;

/** Converts an error of the disk or the store's file to one for users; `null` for any other. */
export function storageFailure(error: unknown): AppError | null {
  const found = storageSentences.find(([isIt]) => isIt(error));
  return found ? new AppError(found[1], found[2], undefined, { cause: error }) : null;
}
