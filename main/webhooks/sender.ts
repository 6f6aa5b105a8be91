import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AddressSettings } from './address-policy.ts';
import {
  deliveryFailure,
  DeliveryFailure,
  deliveryTimeouts,
  noConnection,
  tookTooLong,
  type DeliveryTimeouts,
} from './delivery-failure.ts';
import { cancel, exchange, type Cancellation, type HttpAnswer, type HttpRequest } from './exchange.ts';
import { createGuardedConnector, type ResolveHost } from './guarded-connector.ts';

export interface OutgoingDelivery {
  readonly url: string;
  /** Whether the certificate must be good. */
  readonly enableSsl: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ReceiverAnswer {
  readonly status: number;
  /** Its text; empty beyond 1 MiB; a sentence where there was no answer. */
  readonly response: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

/** The delivery was broken off from here: it counts as never made. */
export class SenderStopped extends Error {
  override readonly name = 'SenderStopped';
}

interface Place {
  readonly origin: string;
  readonly path: string;
  /** The header for a name and password in the URL. */
  readonly authorization: Record<string, string>;
}

export type Sender = ReturnType<typeof createSender>;

export const maxResponseBytes = 1024 * 1024;
const watchEveryMs = 500;
const maxKnownPlaces = 200;
const maxRedirects = 30;
const keepAliveMs = 2000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Of a body that a redirect left behind. */
const bodyHeaders: ReadonlySet<string> = new Set(['content-type', 'x-signature-256', 'webhook-signature']);

/**
 * Sends deliveries over connections that are kept for the next one. Never throws for what the receiver does: every
 * end has a status. Redirects are followed by hand, as each of them has to pass the same check of its address.
 */
export function createSender(options: {
  readonly settings: () => AddressSettings;
  readonly timeouts?: DeliveryTimeouts;
  readonly resolveHost?: ResolveHost;
}) {
  const { timeouts = deliveryTimeouts } = options;
  const { connectMs, readMs, totalMs } = timeouts;
  /** With the first delivery: the client library takes 60 ms of a start, and most have no webhook. */
  async function openAgents() {
    const { Agent, buildConnector } = await import('undici');
    const agentFor = (verifies: boolean) =>
      new Agent({
        connect: createGuardedConnector({ ...options, buildConnector, connectMs, verifies }),
        headersTimeout: readMs,
        bodyTimeout: readMs,
        keepAliveTimeout: keepAliveMs,
        keepAliveMaxTimeout: keepAliveMs,
        pipelining: 1,
      });
    return { verifying: agentFor(true), trusting: agentFor(false) };
  }
  let agents: ReturnType<typeof openAgents> | null = null;

  const underWay = new Map<Cancellation, number>();
  const places = new Map<string, Place>();
  // One timer for all: each delivery would set and clear one of its own for nothing.
  const watch = setInterval(() => {
    const nowMs = performance.now();
    for (const [cancellation, startedMs] of underWay) {
      if (nowMs - startedMs > totalMs) cancel(cancellation, tookTooLong(timeouts));
    }
  }, watchEveryMs);
  watch.unref();

  function placeOf(url: string): Place {
    const known = places.get(url);
    if (known) return known;
    if (places.size >= maxKnownPlaces) places.clear();
    const target = new URL(url);
    const parsed = { ...place(target), authorization: authorization(target) };
    places.set(url, parsed);
    return parsed;
  }

  return {
    /** @throws only after `stop` */
    async send(delivery: OutgoingDelivery): Promise<ReceiverAnswer> {
      const startedMs = performance.now();
      const cancellation: Cancellation = { reason: null, stop: null };
      const durationMs = () => Math.round(performance.now() - startedMs);
      underWay.set(cancellation, startedMs);
      try {
        const { verifying, trusting } = await (agents ??= openAgents());
        const client = delivery.enableSsl ? verifying : trusting;
        const { status, headers, body } = await follow(
          client,
          firstRequest(delivery, placeOf(delivery.url)),
          cancellation,
        );
        return { status, response: text(body), headers: flat(headers), durationMs: durationMs() };
      } catch (error) {
        if (error instanceof SenderStopped) throw error;
        const failure = deliveryFailure(error, hostOf(delivery.url), timeouts);
        return { status: failure.status, response: failure.message, headers: {}, durationMs: durationMs() };
      } finally {
        underWay.delete(cancellation);
      }
    },
    /** Breaks off what is under way. */
    stop(): void {
      const reason = new SenderStopped('Limner stops.');
      for (const cancellation of underWay.keys()) cancel(cancellation, reason);
    },
    /** Closes idle connections, so that changed settings hold for every delivery that begins now. */
    reset(): void {
      const opened = agents;
      agents = null;
      opened
        ?.then(({ verifying, trusting }) => Promise.all([verifying.close(), trusting.close()]))
        .catch(() => undefined);
    },
    async close(): Promise<void> {
      clearInterval(watch);
      const opened = await agents;
      await Promise.all([opened?.verifying.destroy(), opened?.trusting.destroy()]);
    },
  };
}

async function follow(client: Dispatcher, first: HttpRequest, cancellation: Cancellation): Promise<HttpAnswer> {
  let request = first;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await exchange(client, request, maxResponseBytes, cancellation);
    const location = answer.headers.location;
    if (!redirects.has(answer.status) || location === undefined) return answer;
    request = redirected(request, answer.status, location);
  }
  throw new DeliveryFailure(noConnection, `The receiver redirected more than ${maxRedirects} times.`);
}

function firstRequest({ headers, body }: OutgoingDelivery, { origin, path, authorization: own }: Place): HttpRequest {
  return { origin, path, method: 'POST', headers: { ...headers, ...own }, body };
}

/** 301, 302 and 303 turn the POST into a GET without a body, 307 and 308 keep it, as browsers and Python's client do. */
function redirected(request: HttpRequest, status: number, location: string): HttpRequest {
  const target = parseLocation(location, request);
  const keepsBody = status === 307 || status === 308;
  const isElsewhere = target.origin !== request.origin;
  const headers = Object.entries(request.headers).filter(([name]) => {
    if (isElsewhere && name === 'Authorization') return false;
    return keepsBody || !bodyHeaders.has(name.toLowerCase());
  });
  return {
    ...place(target),
    method: keepsBody ? request.method : 'GET',
    headers: { ...Object.fromEntries(headers), ...authorization(target) },
    body: keepsBody ? request.body : null,
  };
}

function parseLocation(location: string, { origin, path }: HttpRequest): URL {
  const target = URL.parse(location, `${origin}${path}`);
  if (target && (target.protocol === 'http:' || target.protocol === 'https:')) return target;
  const shown = location.slice(0, 200);
  throw new DeliveryFailure(noConnection, `The receiver redirected to ${shown}, which is no http or https address.`);
}

const place = (url: URL) => ({ origin: url.origin, path: `${url.pathname}${url.search}` });

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? 'The receiver';

/** Invalid UTF-8 is replaced; a byte order mark stays, as it was sent. */
const text = (body: Buffer | null): string => (body === null ? '' : decoder.decode(body));
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return texts;
}
