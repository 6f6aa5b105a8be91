import { Agent, request } from 'node:http';

export interface Probed {
  readonly milliseconds: number;
  readonly status: number;
  readonly bytes: number;
}

/** Keep-alive connections measure the cost of a request without the cost of a client library. */
export type HttpProbe = ReturnType<typeof createHttpProbe>;

export function createHttpProbe(baseUrl: string, headers: Readonly<Record<string, string>> = {}, connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    /** Measures from the request's first byte to the answer's last. `body` is sent as JSON. */
    send(method: string, path: string, body?: string): Promise<Probed> {
      const { promise, resolve, reject } = Promise.withResolvers<Probed>();
      const started = performance.now();
      const outgoing = request(
        new URL(path, baseUrl),
        {
          method,
          agent,
          headers: {
            ...headers,
            ...(body === undefined
              ? {}
              : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
          },
        },
        (answer) => {
          let bytes = 0;
          answer.on('data', (piece: Buffer) => (bytes += piece.length));
          answer.on('end', () =>
            resolve({ milliseconds: performance.now() - started, status: answer.statusCode ?? 0, bytes }),
          );
          answer.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}

/** Throws unless all answers succeeded, because errors are faster than real answers. */
export function requireGood(probed: Probed): Probed {
  if (probed.status < 200 || probed.status > 299) throw new Error(`The service answered with status ${probed.status}.`);
  return probed;
}
