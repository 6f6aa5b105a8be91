import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Within this time a request arrives whole, or proves whose it is: an upload may then take hours. */
export const unprovenBodyMs = 20_000;

/** What a request's way in tells the connection, and has of it. */
export interface Connection {
  /** Somebody's credentials came with it and are good. */
  readonly proven: () => void;
  /** The body as the socket gives it: the stream of the `Request` copies every piece once more. */
  readonly body?: Readable;
}

/** Ends a request of which nobody knows whose it is, and whose body does not arrive in time. */
export function limitUnprovenBody(incoming: IncomingMessage, outgoing: ServerResponse, limitMs: number): Connection {
  const { socket } = incoming;
  const end = (): void => {
    if (incoming.complete) return;
    // On the socket itself: whoever waits for the body answers too, when it breaks off, and finds nobody there.
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
