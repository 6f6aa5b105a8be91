import { parseTolerantJson } from '../../../../preload/contract/tolerant-json.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import type { ModelLabel } from '../../configuration/model-labels.ts';
import type { Invoker } from '../invoke.ts';
import type { Invocation, InvocationAnswer } from '../provider.ts';
import { ChatProblem, chatReason, tagsOf } from './chat-answer.ts';
import { chatBody } from './chat-request.ts';

/** Annotations of a function that is a chat endpoint, by key. */
export const chatAnnotations = {
  protocol: 'protocol',
  model: 'chat_model',
  instructions: 'chat_instructions',
} as const;
export const chatProtocol = 'openai-chat';

export interface ChatEndpoint {
  /** Base address that ends in `/v1`. */
  readonly url: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

const questionTimeoutMs = 10_000;
const pathOf = (url: string, path: string): string => `${new URL(url).pathname.replace(/\/+$/, '')}${path}`;

/** Asks a chat endpoint about the image of a detector call, and answers as a detector. */
export async function askChat(
  invoker: Invoker,
  { url, annotations, headers }: ChatEndpoint,
  invocation: Invocation,
): Promise<InvocationAnswer> {
  const call = Object(parseTolerantJson(Buffer.concat(invocation.body).toString('utf8'))) as {
    readonly image?: unknown;
    readonly labels?: readonly ModelLabel[];
    readonly object?: ModelLabel;
  };
  if (typeof call.image !== 'string' || call.image === '') throw invalidField('image', 'The call contains no image.');
  const topic = { labels: call.labels ?? [], object: call.object ?? null };
  const model = annotations[chatAnnotations.model] ?? '';
  const instructions = annotations[chatAnnotations.instructions] ?? '';
  const body = [chatBody({ model, instructions, image: Buffer.from(call.image, 'base64'), ...topic })];
  const answer = await invoker.send(url, {
    ...invocation,
    path: pathOf(url, '/chat/completions'),
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body,
  });
  const plain = { 'content-type': 'text/plain; charset=utf-8' };
  if (answer.status !== 200) {
    const status = answer.status >= 400 ? answer.status : 502;
    return { status, headers: plain, body: Buffer.from(chatReason(answer.body)) };
  }
  try {
    const tags = tagsOf(answer.body, topic);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(tags)) };
  } catch (error) {
    if (!(error instanceof ChatProblem)) throw error;
    return { status: 500, headers: plain, body: Buffer.from(`The model "${model}" ${error.message}.`) };
  }
}

/**
 * Names of the models that an endpoint offers.
 * @throws AppError with the endpoint's reason
 */
export async function chatModels(
  invoker: Invoker,
  { url, headers }: Pick<ChatEndpoint, 'url' | 'headers'>,
): Promise<string[]> {
  const { host } = new URL(url);
  const found = await invoker.send(url, {
    method: 'GET',
    path: pathOf(url, '/models'),
    headers: { Accept: 'application/json', ...headers },
    body: [],
    timeoutMs: questionTimeoutMs,
  });
  if (found.status === 401 || found.status === 403) {
    throw invalidField('api_key', `The chat endpoint at ${host} refuses access (${found.status}). Enter its API key.`);
  }
  if (found.status === 503) {
    const reason = chatReason(found.body);
    throw new AppError('unavailable', `The chat endpoint at ${host} is not ready: ${reason} (503). Try again later.`);
  }
  const names = found.status === 200 ? modelNames(found.body) : null;
  if (names !== null) return names;
  const example = `${new URL(url).origin}/v1`;
  throw invalidField(
    'url',
    `${url} is no chat endpoint: ${pathOf(url, '/models')} returned ${found.status} without a list of models. ` +
      `Enter its address as ${example}.`,
  );
}

function modelNames(body: Buffer): string[] | null {
  try {
    const { data } = Object(JSON.parse(body.toString('utf8'))) as { readonly data?: unknown };
    if (!Array.isArray(data)) return null;
    return data.flatMap((one: unknown) => {
      const id: unknown = Reflect.get(Object(one), 'id');
      return typeof id === 'string' ? [id] : [];
    });
  } catch {
    return null;
  }
}
