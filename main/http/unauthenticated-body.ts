import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Time for an unauthenticated request to arrive completely. After authentication an upload may take hours. */
export const unprovenBodyMs = 20_000;

export interface Connection {
  /** Called once the request is authenticated. */
  readonly proven: () => void;
  /** The socket's own stream: the stream of the `Request` copies every chunk once more. */
  readonly body?: Readable;
}

/** Ends a request that is not authenticated and does not arrive in time. */
export function limitUnprovenBody(incoming: IncomingMessage, outgoing: ServerResponse, limitMs: number): Connection {
  const { socket } = incoming;
  const end = (): void => {
    if (incoming.complete) return;
    // Written to the socket directly: the reader of the body also answers when the body breaks off, but too late.
    if (!outgoing.headersSent) socket.write(tooLate(limitMs));
    socket.destroySoon();
  };
  const timer = setTimeout(end, limitMs).unref();
  const proven = (): void => clearTimeout(timer);
  incoming.once('close', proven);
  return { proven, body: incoming };
}

function tooLate(limitMs: number): string {
  const detail = `The request did not arrive within ${limitMs / 1000} seconds. Nothing was changed. Send it again.`;
  const body = JSON.stringify({ detail });
  const head = ['HTTP/1.1 408 Request Timeout', 'Connection: close', 'Content-Type: application/json'];
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
