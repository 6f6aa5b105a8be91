import type { AnyOperation, BodyInputOf, OutputOf, ParamsOf, QueryInputOf } from './operation.ts';
import { operations, type OperationId, type Operations } from './operations/index.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value };

/** What a call needs: the path parameters and the body where the operation has them, the query where wanted. */
type CallInput<Id extends OperationId> = Part<'params', ParamsOf<Operations[Id]>> &
  Part<'body', BodyInputOf<Operations[Id]>> & { readonly query?: QueryInputOf<Operations[Id]> | undefined };

/** A call as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path with its query, below the address of the service. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/** Fills `{name}` in a path template; values are percent-encoded whole, as request ids need. */
export function fillPath(template: string, params: object | undefined): string {
  const values = new Map(Object.entries(params ?? {}));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

/** `?key=value&…` of what is given, or nothing. */
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
 * A client of every operation of the table. `send` brings a request to the service and throws for no answer and for a
 * bad one; `Extra` is what it takes beside the request, for example a signal. Answers are not parsed a second time:
 * the service is held to the table that gives their type.
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
    // The type of the answer is the table's, as said above.
    return parseBody(await answer.text()) as OutputOf<Operations[Id]>;
  };
}

/** A body where it is JSON, its text where it is not, undefined where there is none. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The sentences of the service's error bodies: a string, a list, `{detail}` or `{field: [sentences]}`. */
export function sentencesOf(body: unknown, field = ''): string[] {
  if (typeof body === 'string') return body === '' ? [] : [field === '' ? body : `${field}: ${body}`];
  if (Array.isArray(body)) return body.flatMap((item: unknown) => sentencesOf(item, field));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const isPlain = key === 'detail' || key === 'non_field_errors' || key === 'message';
    return sentencesOf(value, isPlain ? field : field === '' ? key : `${field}.${key}`);
  });
}

/** What a failed request says to a person. */
export function messageOfAnswer(status: number, body: unknown): string {
  return sentencesOf(body).join(' ') || `The service answered with status ${status}.`;
}
