import { AppError, isStorageFull } from '../platform/errors.ts';

/**
 * The error as a person should see it: a full disk becomes `storage-full` with the sentence `message`; everything else
 * stays as it is.
 */
export function storageError(error: unknown, message: string): unknown {
  if (!isStorageFull(error)) return error;
  return new AppError('storage-full', message, undefined, { cause: error });
}
