import type { IncomingMessage, ServerResponse } from 'node:http';

/** About ten times the largest body that is read into memory. */
const maxRestBytes = 1024 * 1024 * 1024;
const maxRestMs = 60_000;
const checkMs = 100;

/**
 * After an early answer, for example a refusal, reads and drops the rest of the body. Many clients, such as Python's
 * http.client, read the answer only after they sent everything: if the connection is closed before, they report a broken
 * pipe instead of the answer. The connection is closed after 1 GiB or one minute.
 */
export function readRestAfterAnswer(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const wantsClose = !outgoing.shouldKeepAlive;
  const writeHead = outgoing.writeHead.bind(outgoing) as (...parameters: unknown[]) => ServerResponse;
  // Node closes the connection with the answer if the client asked for it, also while the body arrives.
  outgoing.writeHead = (...parameters: unknown[]) => {
    if (!incoming.complete) outgoing.shouldKeepAlive = true;
    return writeHead(...parameters);
  };
  outgoing.once('finish', () => readRest(incoming, wantsClose));
}

function readRest(incoming: IncomingMessage, wantsClose: boolean): void {
  if (incoming.destroyed && !incoming.complete) return;
  const { socket } = incoming;
  const bytesBefore = socket.bytesRead;
  const deadline = performance.now() + maxRestMs;
  const check = (): void => {
    const isTooMuch = socket.bytesRead - bytesBefore > maxRestBytes || performance.now() > deadline;
    if (!incoming.complete && !socket.destroyed && !isTooMuch) return;
    clearInterval(timer);
    if (isTooMuch || wantsClose) socket.destroySoon();
  };
  const timer = setInterval(check, checkMs).unref();
  if (incoming.complete) return check();
  // A reader that stopped would otherwise pause the stream or keep the chunks.
  incoming.removeAllListeners('data').removeAllListeners('readable');
  incoming.resume();
}
