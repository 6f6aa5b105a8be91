import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export interface HttpRequest {
  readonly origin: string;
  /** Includes the query. */
  readonly path: string;
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null if it exceeds the limit; the rest was not read. */
  readonly body: Buffer | null;
}

/** Cancels exchanges from outside. Cheaper than abort signals, because each delivery would need two of them. */
export interface Cancellation {
  /** Set once, by the canceller. */
  reason: Error | null;
  /** Set by the running exchange. */
  stop: ((reason: Error) => void) | null;
}

export function cancel(cancellation: Cancellation, reason: Error): void {
  cancellation.reason ??= reason;
  cancellation.stop?.(cancellation.reason);
}

/**
 * Sends one request and reads its answer; redirects are not followed. Uses the client's callbacks, because a stream for
 * each answer would double the cost of a delivery.
 * @throws the client's error, or the reason of the cancellation
 */
export function exchange(
  client: Dispatcher,
  request: HttpRequest,
  maxBodyBytes: number,
  cancellation: Cancellation = { reason: null, stop: null },
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    if (cancellation.reason) return reject(cancellation.reason);
    let controller: Dispatcher.DispatchController | null = null;
    let cancelled: Error | null = null;
    cancellation.stop = (reason) => {
      cancelled = reason;
      controller?.abort(reason);
      reject(reason);
    };
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let size = 0;
    const parts: Buffer[] = [];
    client.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (cancelled) started.abort(cancelled);
      },
      onResponseStart(_controller, code, received) {
        if (code < 200) return;
        status = code;
        headers = received;
      },
      onResponseData(running, chunk) {
        size += chunk.length;
        if (size <= maxBodyBytes) {
          parts.push(chunk);
          return;
        }
        resolve({ status, headers, body: null });
        running.abort(new Error('The answer is longer than the limit.'));
      },
      onResponseEnd() {
        cancellation.stop = null;
        resolve({ status, headers, body: joined(parts) });
      },
      onResponseError(_controller, error) {
        cancellation.stop = null;
        reject(error);
      },
    });
  });
}

function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
