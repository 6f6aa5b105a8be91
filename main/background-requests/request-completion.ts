import { causedBy, causingRequest } from '../platform/causing-request.ts';
import type { Logger } from '../platform/log.ts';
import type { RequestEnd, RequestRepository, RequestRow } from './request-repository.ts';

const retryMs = 5000;

/**
 * Stores the ends of background requests. If the store cannot take an end (full disk), it is shown anyway and stored
 * later.
 */
export function createRequestCompletion(dependencies: {
  readonly requests: Pick<RequestRepository, 'end'>;
  readonly log: Logger;
  /** Called after each retry, because requests that could not start may be able to start then. */
  readonly onRetry: () => void;
}) {
  const { requests, log, onRetry } = dependencies;
  const unstored = new Map<string, { readonly end: RequestEnd; readonly cause: string | undefined }>();
  let retry: NodeJS.Timeout | null = null;

  /** Returns true if the end is stored. */
  function end(id: string, result: RequestEnd): boolean {
    try {
      requests.end(id, result);
      unstored.delete(id);
      return true;
    } catch (error) {
      if (!unstored.has(id)) log.error('The end of a background request could not be stored', { request: id, error });
      unstored.set(id, { end: result, cause: causingRequest() });
      retryLater();
      return false;
    }
  }

  function retryLater(): void {
    if (retry) return;
    retry = setTimeout(() => {
      retry = null;
      for (const [id, { end: result, cause }] of unstored) causedBy(cause, () => end(id, result));
      onRetry();
    }, retryMs);
    retry.unref();
  }

  return {
    end,
    retryLater,
    forget: (id: string) => void unstored.delete(id),
    /** A stored background request with its end, even if that is not stored yet. */
    current: (row: RequestRow): RequestRow => ({ ...row, ...unstored.get(row.id)?.end }),
    stop(): void {
      if (retry) clearTimeout(retry);
    },
  };
}
