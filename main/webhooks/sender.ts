import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';
import type { AddressSettings } from './address-policy.ts';
import { deliveryFailure, DeliveryFailure, noAnswerInTime, noConnection } from './delivery-failure.ts';
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

export type Sender = ReturnType<typeof createSender>;

export const maxResponseBytes = 1024 * 1024;
const readTimeoutMs = 10_000;
/** Of one delivery with all its redirects: who sends a byte every nine seconds must not hold a webhook up for days. */
const totalTimeoutMs = 25_000;
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
  readonly resolveHost?: ResolveHost;
}) {
  const agentFor = (verifies: boolean) =>
    new Agent({
      connect: createGuardedConnector({ ...options, verifies }),
      headersTimeout: readTimeoutMs,
      bodyTimeout: readTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      pipelining: 1,
    });
  const openAgents = () => ({ verifying: agentFor(true), trusting: agentFor(false) });
  let agents = openAgents();

  const underWay = new Set<Cancellation>();

  return {
    /** @throws only after `stop` */
    async send(delivery: OutgoingDelivery): Promise<ReceiverAnswer> {
      const startedMs = performance.now();
      const cancellation: Cancellation = { reason: null, stop: null };
      const timer = setTimeout(cancel, totalTimeoutMs, cancellation, tooSlow);
      const durationMs = () => Math.round(performance.now() - startedMs);
      underWay.add(cancellation);
      try {
        const client = delivery.enableSsl ? agents.verifying : agents.trusting;
        const { status, headers, body } = await follow(client, delivery, cancellation);
        return { status, response: text(body), headers: flat(headers), durationMs: durationMs() };
      } catch (error) {
        if (error instanceof SenderStopped) throw error;
        const failure = deliveryFailure(error, hostOf(delivery.url));
        return { status: failure.status, response: failure.message, headers: {}, durationMs: durationMs() };
      } finally {
        clearTimeout(timer);
        underWay.delete(cancellation);
      }
    },
    /** Breaks off what is under way. */
    stop(): void {
      const reason = new SenderStopped('Limner stops.');
      for (const cancellation of underWay) cancel(cancellation, reason);
    },
    /** Closes idle connections, so that changed settings hold for every delivery that begins now. */
    reset(): void {
      const { verifying, trusting } = agents;
      agents = openAgents();
      for (const agent of [verifying, trusting]) agent.close().catch(() => undefined);
    },
    async close(): Promise<void> {
      await Promise.all([agents.verifying.destroy(), agents.trusting.destroy()]);
    },
  };
}

const tooSlow = new DeliveryFailure(
  noAnswerInTime,
  `The receiver took longer than ${totalTimeoutMs / 1000} seconds in all.`,
);

async function follow(client: Dispatcher, delivery: OutgoingDelivery, cancellation: Cancellation): Promise<HttpAnswer> {
  let request = firstRequest(delivery);
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await exchange(client, request, maxResponseBytes, cancellation);
    const location = answer.headers.location;
    if (!redirects.has(answer.status) || location === undefined) return answer;
    request = redirected(request, answer.status, location);
  }
  throw new DeliveryFailure(noConnection, `The receiver redirected more than ${maxRedirects} times.`);
}

function firstRequest({ url, headers, body }: OutgoingDelivery): HttpRequest {
  const target = new URL(url);
  return { ...place(target), method: 'POST', headers: { ...headers, ...authorization(target) }, body };
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
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}
