import type { IncomingMessage } from 'node:http';
import { startHttpProxy, type HttpProxy } from './http-proxy.ts';

export interface HoldingProxy extends HttpProxy {
  /** Resolves when the target has answered a matching request and the answer is held. */
  readonly held: Promise<void>;
  /** Passes held answers on, and holds no more. */
  readonly release: () => void;
}

/** An HTTP proxy that holds the answers to some requests: the target has acted, and its client does not know. */
export async function startHoldingProxy(
  targetUrl: string,
  isHeld: (request: IncomingMessage) => boolean,
): Promise<HoldingProxy> {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let isReleased = false;
  const proxy = await startHttpProxy(targetUrl, ({ incoming, answer, outgoing }) => {
    const pass = (): void => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    };
    if (isReleased || !isHeld(incoming)) return pass();
    held.resolve();
    void released.promise.then(pass);
  });
  return {
    ...proxy,
    held: held.promise,
    release() {
      isReleased = true;
      released.resolve();
    },
  };
}
