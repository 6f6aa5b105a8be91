import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export interface HttpRequest {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null when it is longer than the limit: the rest was not read. */
  readonly body: Buffer | null;
}

/**
 * One request and its answer, without following redirects. Written on the client's callbacks: a stream for each
 * answer would cost as much as the rest of a delivery.
 * @throws the client's error, or the signal's reason
 */
export function exchange(
  client: Dispatcher,
  request: HttpRequest,
  maxBodyBytes: number,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let isSettled = false;
    const abort = () => {
      const reason = signal?.reason instanceof Error ? signal.reason : new Error('The request was given up.');
      settle(() => reject(reason));
      controller?.abort(reason);
    };
    const settle = (end: () => void) => {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', abort);
      end();
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);

    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let size = 0;
    const parts: Buffer[] = [];
    client.dispatch(
      { ...request, body: request.body },
      {
        onRequestStart(started) {
          controller = started;
          if (isSettled) started.abort(new Error('The request was given up.'));
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
          settle(() => resolve({ status, headers, body: null }));
          running.abort(new Error('The answer is longer than the limit.'));
        },
        onResponseEnd() {
          settle(() => resolve({ status, headers, body: joined(parts) }));
        },
        onResponseError(_controller, error) {
          settle(() => reject(error));
        },
      },
    );
  });
}

function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
