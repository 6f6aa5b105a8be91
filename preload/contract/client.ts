import type { AnyOperation, BodyInputOf, OutputOf, ParamsOf, QueryInputOf } from './operation.ts';
import { operations, type OperationId, type Operations } from './operations/index.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value };

/** Input of a call: path parameters and body if the operation has them, optionally a query. */
type CallInput<Id extends OperationId> = Part<'params', ParamsOf<Operations[Id]>> &
  Part<'body', BodyInputOf<Operations[Id]>> & { readonly query?: QueryInputOf<Operations[Id]> | undefined };

export interface WireRequest {
  readonly method: string;
  /** Path with its query, relative to the address of the service. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
}

/** Fills `{name}` in a path template. Values are percent-encoded completely, which request ids need. */
export function fillPath(template: string, params: object | undefined): string {
  const values = new Map(Object.entries(params ?? {}));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

/** `?key=value&…` from the defined values, or an empty string. */
export function queryText(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const pairs = given.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

export type Call<Extra extends object> = <Id extends OperationId>(
  id: Id,
  input: CallInput<Id> & Extra,
) => Promise<OutputOf<Operations[Id]>>;

/**
 * Creates a typed client for all operations. `send` transfers a request, and throws without an answer or for an error
 * status; `Extra` is its further input, for example a signal. Answers are not parsed again, because the service is
 * tested against the same table.
 */
export function createCall<Extra extends object>(
  send: (request: WireRequest, extra: Omit<Extra, 'params' | 'query' | 'body'>) => Promise<{ text(): Promise<string> }>,
): Call<Extra> {
  return async <Id extends OperationId>(id: Id, input: CallInput<Id> & Extra): Promise<OutputOf<Operations[Id]>> => {
    const { method, path }: AnyOperation = operations[id];
    const { params, query, body, ...extra } = input;
    const request = { method, target: fillPath(path, params) + queryText(query) };
    const answer = await send(
      body === undefined
        ? { ...request, headers: {} }
        : { ...request, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
      extra,
    );
    // The type comes from the table, see above.
    return parseBody(await answer.text()) as OutputOf<Operations[Id]>;
  };
}

/** Parsed JSON, plain text if it is not JSON, undefined if empty. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Messages in an error body of the service: a string, a list, `{detail}` or `{field: [messages]}`. */
export function sentencesOf(body: unknown, field = ''): string[] {
  if (typeof body === 'string') return body === '' ? [] : [field === '' ? body : `${field}: ${body}`];
  if (Array.isArray(body)) return body.flatMap((item: unknown) => sentencesOf(item, field));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const isPlain = key === 'detail' || key === 'non_field_errors' || key === 'message';
    return sentencesOf(value, isPlain ? field : field === '' ? key : `${field}.${key}`);
  });
}

export function messageOfAnswer(status: number, body: unknown): string {
  return sentencesOf(body).join(' ') || `The service answered with status ${status}.`;
}
