import type { BodyInputOf, Operation, OutputOf, ParamsOf, QueryInputOf } from '../../preload/contract/operation.ts';
import { operations, type OperationId, type Operations } from '../../preload/contract/operations/index.ts';
import { parseBody, send } from './transport.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value };
type OptionalPart<Name extends string, Value> = { readonly [Key in Name]?: Value | undefined };

/** What a call needs: the path parameters and the body where the operation has them, the query where wanted. */
export type CallInput<Id extends OperationId> = Part<'params', ParamsOf<Operations[Id]>> &
  OptionalPart<'query', QueryInputOf<Operations[Id]>> &
  Part<'body', BodyInputOf<Operations[Id]>> & {
    readonly signal?: AbortSignal | undefined;
    readonly headers?: Record<string, string>;
    /** Lets a small request outlive the page. */
    readonly keepalive?: boolean;
    /** Slug of the organization to ask in, instead of the chosen one; null: wherever things are. */
    readonly organization?: string | null;
  };

const encodeQuery = (query: object | undefined): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(key, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

/** Fills `{name}` in a path template; values are percent-encoded whole, as request ids need. */
export const fillPath = (template: string, params: object | undefined): string =>
  template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value: unknown = params === undefined ? undefined : Reflect.get(params, key);
    return encodeURIComponent(String(value));
  });

/**
 * Calls one operation of the contract. The answer's type comes from the table; the contract tests of the service hold
 * the answers to it, so they are not parsed a second time here.
 */
export async function call<Id extends OperationId>(id: Id, input: CallInput<Id>): Promise<OutputOf<Operations[Id]>> {
  // The union of all operations has no common generic arguments; path and method are plain strings in each of them.
  const operation = operations[id] as unknown as Operation;
  const { params, query, body, signal, headers, keepalive, organization } = input as {
    params?: object;
    query?: object;
    body?: unknown;
    signal?: AbortSignal;
    headers?: Record<string, string>;
    keepalive?: boolean;
    organization?: string | null;
  };
  const init = {
    method: operation.method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(keepalive === undefined ? {} : { keepalive }),
  };
  const response = await send(fillPath(operation.path, params) + encodeQuery(query), init, organization);
  const text = await response.text();
  return parseBody(text) as OutputOf<Operations[Id]>;
}
