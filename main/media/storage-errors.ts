import { AppError, isStorageFull } from '../platform/errors.ts';

/** Converts a full disk to `storage-full` with the sentence `message`; returns other errors unchanged. */
export function storageError(error: unknown, message: string): unknown {
  if (!isStorageFull(error)) return error;
  return new AppError('storage-full', message, undefined, { cause: error });
}
