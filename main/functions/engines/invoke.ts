import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import type { AddressSettings } from '../../platform/network/address-policy.ts';
import { AddressRefused, guardedLookup, hostRefusal } from '../../platform/network/guarded-connector.ts';
import type { Invocation, InvocationAnswer } from './provider.ts';

/** No model answer is larger; a larger one would only fill the memory. */
const maxAnswerBytes = 100 * 1024 * 1024;
const idleSocketMs = 30_000;

export type InvocationProblemKind = 'refused' | 'unreachable' | 'interrupted' | 'late' | 'too-large' | 'cancelled';

const codes: Readonly<Record<InvocationProblemKind, ErrorCode>> = {
  refused: 'invalid',
  unreachable: 'unavailable',
  interrupted: 'unavailable',
  late: 'timeout',
  'too-large': 'unavailable',
  cancelled: 'cancelled',
};

export class InvocationProblem extends AppError {
  readonly kind: InvocationProblemKind;

  constructor(kind: InvocationProblemKind, message: string, cause?: unknown) {
    super(codes[kind], message, message, { cause });
    this.name = 'InvocationProblem';
    this.kind = kind;
  }
}

export type Invoker = ReturnType<typeof createInvoker>;

/**
 * Calls functions over persistent connections to save connection time.
 * @param addresses settings that the addresses have to follow; undefined for containers, and for sources that were
 *   added before their addresses were checked
 */
export function createInvoker(addresses?: () => AddressSettings) {
  const settings = addresses && ((): AddressSettings => ({ ...addresses(), target: 'model server' }));
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 64, timeout: idleSocketMs });
  return {
    /**
     * @param baseUrl address of the function, for example `http://127.0.0.1:21000`
     * @param way agent that connects over a link instead of that address
     */
    async send(baseUrl: string, invocation: Invocation, way: HttpAgent = agent): Promise<InvocationAnswer> {
      try {
        return await sendOnce(way, baseUrl, invocation, 'kept', settings);
      } catch (error) {
        // The function closed an idle connection before it received the request. Other idle connections may be closed
        // as well.
        if (!(error instanceof StaleConnection)) throw error;
        return sendOnce(way, baseUrl, invocation, 'new', settings);
      }
    },
    close: (): void => agent.destroy(),
  };
}

class StaleConnection extends Error {}

/** @param connection reuse an idle connection if possible, or open another one */
async function sendOnce(
  agent: HttpAgent,
  baseUrl: string,
  invocation: Invocation,
  connection: 'kept' | 'new',
  settings: (() => AddressSettings) | undefined,
): Promise<InvocationAnswer> {
  const { method, path, headers, body, timeoutMs, signal } = invocation;
  const url = new URL(path, baseUrl);
  const refusal = settings && hostRefusal(url.hostname, settings());
  if (refusal) throw new InvocationProblem('refused', `Cannot connect to ${url.host}: ${refusal}`);
  const size = body.reduce((total, piece) => total + piece.byteLength, 0);
  const { promise, resolve, reject } = Promise.withResolvers<InvocationAnswer>();
  const options = {
    method,
    headers: { ...headers, 'Content-Length': String(size) },
    ...(settings === undefined ? {} : { lookup: guardedLookup(settings) }),
  };
  const outgoing =
    url.protocol === 'https:'
      ? // Checked addresses share no connection with others.
        (await import('node:https')).request(url, settings === undefined ? options : { ...options, agent: false })
      : requestHttp(url, { ...options, ...(connection === 'kept' ? { agent } : withNewConnection(agent)) });
  const give = (error: Error) => {
    reject(error);
    outgoing.destroy();
  };
  const timer = setTimeout(() => {
    give(new InvocationProblem('late', `The function did not answer within ${Math.round(timeoutMs / 1000)} s.`));
  }, timeoutMs);
  const cancel = () => give(new InvocationProblem('cancelled', 'The call was cancelled.'));
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  let answered = false;
  outgoing.on('response', (answer) => {
    answered = true;
    readAnswer(answer).then(resolve, give);
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => reject(connectionProblem(error, outgoing, answered, baseUrl)));
  for (const piece of body) outgoing.write(piece);
  outgoing.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** Connects like the agent, but never reuses an idle connection. */
const withNewConnection = (agent: HttpAgent): Pick<RequestOptions, 'createConnection'> => ({
  createConnection: (options, done) => agent.createConnection(options, done),
});

async function readAnswer(answer: IncomingMessage): Promise<InvocationAnswer> {
  const pieces: Buffer[] = [];
  let received = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      received += piece.length;
      if (received > maxAnswerBytes) {
        const message = `The function returned more than ${maxAnswerBytes / 1024 / 1024} MiB, the limit for an answer.`;
        throw new InvocationProblem('too-large', message);
      }
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof InvocationProblem) throw error;
    throw new InvocationProblem(
      'interrupted',
      'The connection to the function ended in the middle of its answer.',
      error,
    );
  }
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(headers), body: Buffer.concat(pieces) };
}

function connectionProblem(
  error: NodeJS.ErrnoException,
  outgoing: ClientRequest,
  answered: boolean,
  baseUrl: string,
): Error {
  // The reason why the Engine of another computer cannot be reached.
  if (error instanceof AppError) return error;
  const { code = '' } = error;
  if (outgoing.reusedSocket && !answered && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection();
  const place = new URL(baseUrl).host;
  if (error instanceof AddressRefused) {
    return new InvocationProblem('refused', `Cannot connect to ${place}: ${error.message}`, error);
  }
  if (['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ETIMEDOUT'].includes(code)) {
    return new InvocationProblem('unreachable', `Nothing responds at ${place} (${code}).`, error);
  }
  const reason = code === 'ECONNRESET' || code === 'EPIPE' ? 'it exited or was stopped' : error.message;
  return new InvocationProblem('interrupted', `The connection to the function broke: ${reason}.`, error);
}
