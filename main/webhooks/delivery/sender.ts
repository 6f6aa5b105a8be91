import type { IncomingHttpHeaders } from 'node:http';
import type { AddressSettings } from '../../platform/network/address-policy.ts';
import { deliveryFailure, deliveryTimeouts, tookTooLong, type DeliveryTimeouts } from './delivery-failure.ts';
import { cancel, exchange, type Cancellation, type HttpRequest } from './exchange.ts';
import { createGuardedConnector, type ResolveHost } from '../../platform/network/guarded-connector.ts';
import { createReceiverSlots } from './receiver-slots.ts';
import { isRedirect } from './retry-policy.ts';

export interface OutgoingDelivery {
  readonly url: string;
  /** True if the certificate must be valid. */
  readonly enableSsl: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ReceiverAnswer {
  readonly status: number;
  /** Text of the answer; empty above 1 MiB; an error message without an answer; prefixed by a message for redirects. */
  readonly response: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

/** The delivery was aborted by the shutdown and is not counted. */
export class SenderStopped extends Error {
  override readonly name = 'SenderStopped';
}

interface Place {
  readonly origin: string;
  readonly path: string;
  /** Header for the name and password of the URL. */
  readonly authorization: Record<string, string>;
}

export type Sender = ReturnType<typeof createSender>;

const maxResponseBytes = 1024 * 1024;
const watchEveryMs = 500;
const maxKnownPlaces = 200;
const keepAliveMs = 2000;
/** Receivers often accept few connections at once: a thousand webhooks on one host must not look like an attack. */
const connectionsPerReceiver = 8;

/**
 * Sends deliveries over persistent connections. Never throws for the receiver's behaviour; every outcome has a status.
 * Redirects are outcomes as well: following one would send the event and its password to an address that the user did
 * not choose.
 */
export function createSender(options: {
  readonly settings: () => AddressSettings;
  readonly timeouts?: DeliveryTimeouts;
  readonly resolveHost?: ResolveHost;
}) {
  const { settings, timeouts = deliveryTimeouts, resolveHost } = options;
  const { connectMs, readMs, totalMs } = timeouts;
  /** Loaded with the first delivery, because the client library takes 60 ms and most users have no webhook. */
  async function openAgents() {
    const { Agent, buildConnector } = await import('undici');
    const agentFor = (verifies: boolean) =>
      new Agent({
        connect: createGuardedConnector({ settings, resolveHost, buildConnector, connectMs, verifies }),
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
  const slots = createReceiverSlots(connectionsPerReceiver);
  // One timer for all deliveries, which is cheaper than one for each.
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

  async function sendNow(delivery: OutgoingDelivery): Promise<ReceiverAnswer> {
    const startedMs = performance.now();
    const cancellation: Cancellation = { reason: null, stop: null };
    const durationMs = () => Math.round(performance.now() - startedMs);
    underWay.set(cancellation, startedMs);
    try {
      const { verifying, trusting } = await (agents ??= openAgents());
      const client = delivery.enableSsl ? verifying : trusting;
      const request = requestOf(delivery, placeOf(delivery.url));
      const { status, headers, body } = await exchange(client, request, maxResponseBytes, cancellation);
      const written = text(body);
      const response = isRedirect(status)
        ? `${redirectSentence(status, headers.location, delivery.url)}\n\n${written}`.trimEnd()
        : written;
      return { status, response, headers: flat(headers), durationMs: durationMs() };
    } catch (error) {
      if (error instanceof SenderStopped) throw error;
      const failure = deliveryFailure(error, hostOf(delivery.url), timeouts);
      return { status: failure.status, response: failure.message, headers: {}, durationMs: durationMs() };
    } finally {
      underWay.delete(cancellation);
    }
  }

  return {
    /** @throws only after `stop` */
    send: (delivery: OutgoingDelivery): Promise<ReceiverAnswer> =>
      // Time in the queue does not count as time of the receiver.
      slots.run(placeOf(delivery.url).origin, () => sendNow(delivery)),
    stop(): void {
      const reason = new SenderStopped('Limner stops.');
      slots.refuseWaiting(reason);
      for (const cancellation of underWay.keys()) cancel(cancellation, reason);
    },
    /** Closes idle connections, so that changed settings apply to all new deliveries. */
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

function requestOf({ headers, body }: OutgoingDelivery, { origin, path, authorization: own }: Place): HttpRequest {
  return { origin, path, method: 'POST', headers: { ...headers, ...own }, body };
}

function redirectSentence(status: number, location: string | undefined, url: string): string {
  if (location === undefined)
    return `The receiver answered ${status}, a redirect without a target. Check the target URL.`;
  const target = URL.parse(location, url);
  if (target) [target.username, target.password] = ['', ''];
  return (
    `The receiver redirects to ${target?.href ?? location} (${status}). Limner does not follow redirects, so the event ` +
    'was not delivered. If that address is right, set it as the target URL.'
  );
}

const place = (url: URL) => ({ origin: url.origin, path: `${url.pathname}${url.search}` });

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? 'The receiver';

/** Replaces invalid UTF-8; keeps a byte order mark. */
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
