import { isRecord } from '../../../formats/kit/records.ts';
import { captionField, type ChatTopic } from './chat-request.ts';

/** Answer that cannot be used; the message continues "The model …". */
export class ChatProblem extends Error {}

/**
 * Converts the answer of a chat endpoint to results of a detector: a tag for each label that applies, or one with the
 * values of the object. Values are checked later, as those of all functions.
 * @throws ChatProblem
 */
export function tagsOf(body: Buffer, { labels, object }: ChatTopic): object[] {
  const value = answered(body);
  if (object !== null) {
    const given = object.attributes.flatMap(({ name }) => (name in value ? [[name, value[name]] as const] : []));
    if (given.length > 0) return [tag(object.name, Object.fromEntries(given))];
    throw new ChatProblem(`left out all attributes of "${object.name}": ${shown(JSON.stringify(value))}`);
  }
  if (labels.length === 0) return [tag(captionField, { [captionField]: value[captionField] })];
  return labels.flatMap(({ name }) => {
    const own = value[name];
    if (!isRecord(own) || typeof own['applies'] !== 'boolean') {
      throw new ChatProblem(`left out "${name}" or did not say whether it applies: ${shown(JSON.stringify(value))}`);
    }
    const values = own['attributes'];
    return own['applies'] ? [tag(name, isRecord(values) ? values : {})] : [];
  });
}

const tag = (label: string, values: Readonly<Record<string, unknown>>) => ({
  type: 'tag',
  label,
  attributes: Object.entries(values).map(([name, value]) => ({ name, value: textOf(value) })),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function answered(body: Buffer): Readonly<Record<string, unknown>> {
  const message = messageOf(body);
  if (typeof message.refusal === 'string' && message.refusal !== '') {
    throw new ChatProblem(`refused to answer: ${shown(message.refusal)}`);
  }
  if (message.isCut) throw new ChatProblem('did not finish its answer: the limit of tokens was reached');
  // Some servers wrap JSON in a block of code.
  const text = message.content.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ChatProblem(`did not answer in JSON: ${shown(text)}`);
  }
  if (isRecord(value)) return value;
  throw new ChatProblem(`did not answer with an object: ${shown(text)}`);
}

function messageOf(body: Buffer) {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch {
    throw new ChatProblem(`did not answer as a chat endpoint: ${shown(body.toString('utf8', 0, 400))}`);
  }
  const choices: unknown = Reflect.get(Object(answer), 'choices');
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  const message: unknown = Reflect.get(Object(choice), 'message');
  if (!isRecord(message)) throw new ChatProblem('returned no message');
  const { content, refusal } = message;
  const isCut = Reflect.get(Object(choice), 'finish_reason') === 'length';
  return { content: typeof content === 'string' ? content : '', refusal, isCut };
}

const shown = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? 'nothing' : `“${line.slice(0, 200)}${line.length > 200 ? '…' : ''}”`;
};

/** Error message of an endpoint: `{ "error": { "message": "…" } }`, or with a text as `error`. */
export function chatReason(body: Buffer): string {
  try {
    const error: unknown = Reflect.get(Object(JSON.parse(body.toString('utf8'))), 'error');
    const message: unknown = isRecord(error) ? error['message'] : error;
    if (typeof message === 'string') return message.slice(0, 600);
  } catch {
    // Not JSON.
  }
  return body.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ').trim();
}
