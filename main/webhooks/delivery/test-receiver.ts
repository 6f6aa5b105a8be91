import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ReceivedRequest,
  ReceiverAnswer,
  ReceiverAnswerPatch,
  signatureVerdicts,
  WebhookReceiver,
} from '../../../preload/contract/schema/webhooks.ts';
import type { Clock } from '../../platform/clock.ts';
import { bodySignature, standardSignature } from './signature.ts';

type Verdict = (typeof signatureVerdicts)[number];

const defaultAnswer: ReceiverAnswer = { answer_status: 200, answer_delay_ms: 0 };
const keptRequests = 200;
const keptBodyChars = 64 * 1024;
const maxBodyBytes = 16 * 1024 * 1024;

export type TestReceiver = Awaited<ReturnType<typeof startTestReceiver>>;

/**
 * A test receiver on loopback. Verifies signatures like a real receiver: over the received bytes, with the secret of
 * the webhook named in the payload. Keeps the newest requests in memory.
 */
export async function startTestReceiver(options: {
  /** Plain secret, empty for none; undefined for an unknown webhook. */
  readonly secretOf: (webhookId: number) => string | undefined;
  readonly clock: Clock;
}) {
  const { secretOf, clock } = options;
  let answer = defaultAnswer;
  let received: ReceivedRequest[] = [];
  let count = 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    const { answer_status: status, answer_delay_ms: delayMs } = answer;
    count += 1;
    const entry = receivedRequest(request, body, { number: count, date: clock(), status, secretOf });
    const isRepeat = entry.message_id !== null && received.some((one) => one.message_id === entry.message_id);
    received = [{ ...entry, is_repeat: isRepeat }, ...received.slice(0, keptRequests - 1)];
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ received: count, signature: entry.signature }));
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    state: (): WebhookReceiver => ({
      is_running: true,
      url: `http://127.0.0.1:${port}/`,
      ...answer,
      received,
      received_count: count,
    }),
    setAnswer(change: ReceiverAnswerPatch): void {
      answer = {
        answer_status: change.answer_status ?? answer.answer_status,
        answer_delay_ms: change.answer_delay_ms ?? answer.answer_delay_ms,
      };
    },
    clear(): void {
      received = [];
      count = 0;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const noReceiver: WebhookReceiver = {
  is_running: false,
  url: null,
  ...defaultAnswer,
  received: [],
  received_count: 0,
};

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBodyBytes) throw new Error('The request is too large for the test receiver.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

interface Arrival {
  readonly number: number;
  readonly date: string;
  readonly status: number;
  readonly secretOf: (webhookId: number) => string | undefined;
}

function receivedRequest(
  request: IncomingMessage,
  body: Buffer,
  { number, date, status, secretOf }: Arrival,
): ReceivedRequest {
  const text = body.toString('utf8');
  const { event, webhookId } = named(text);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const messageId = headers['webhook-id'] ?? null;
  const secret = webhookId === null ? undefined : secretOf(webhookId);
  const timestamp = headers['webhook-timestamp'] ?? '';
  return {
    number,
    received_date: date,
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body: text.slice(0, keptBodyChars),
    is_cut: text.length > keptBodyChars,
    event,
    webhook_id: webhookId,
    message_id: messageId,
    is_repeat: false,
    signature: verdict(secret, headers['x-signature-256'], (known) => bodySignature(known, body)),
    standard_signature: verdict(secret, headers['webhook-signature'], (known) =>
      standardSignature(known, messageId ?? '', timestamp, body),
    ),
    status_code: status,
  };
}

function verdict(
  secret: string | undefined,
  header: string | undefined,
  expected: (secret: string) => string,
): Verdict {
  if (secret === undefined) return 'unknown';
  if (secret === '') return 'unsigned';
  if (header === undefined) return 'missing';
  const wanted = Buffer.from(expected(secret));
  // Several signatures during a secret rotation.
  const given = header.split(' ').map((one) => Buffer.from(one));
  const fits = given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
  return fits ? 'valid' : 'invalid';
}

/** Event and webhook id of the payload: events contain the id, pings the complete webhook. */
function named(text: string): { event: string | null; webhookId: number | null } {
  try {
    const payload = JSON.parse(text) as { event?: unknown; webhook_id?: unknown; webhook?: { id?: unknown } } | null;
    const id = payload?.webhook_id ?? payload?.webhook?.id;
    return {
      event: typeof payload?.event === 'string' ? payload.event : null,
      webhookId: typeof id === 'number' ? id : null,
    };
  } catch {
    return { event: null, webhookId: null };
  }
}
