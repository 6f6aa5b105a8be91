import { operations } from '../../preload/contract/operations/index.ts';
import type { OperationId, Operations } from '../../preload/contract/operations/index.ts';
import type {
  AnyOperation,
  BodyInputOf,
  OutputOf,
  ParamsInputOf,
  QueryInputOf,
} from '../../preload/contract/operation.ts';

export interface CallInput<Id extends OperationId> {
  readonly params?: ParamsInputOf<Operations[Id]>;
  readonly query?: QueryInputOf<Operations[Id]>;
  readonly body?: BodyInputOf<Operations[Id]>;
}

/** An answer of the service API that is not a good one. */
export class ApiFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiFailure';
    this.status = status;
  }
}

/** A client of the service API: the command line has no other way to the data. */
export interface ApiClient {
  readonly baseUrl: string;
  /** @throws ApiFailure with the service's own sentence */
  call<Id extends OperationId>(id: Id, input?: CallInput<Id>, signal?: AbortSignal): Promise<OutputOf<Operations[Id]>>;
  /** A route beside the table of operations; `target` is a path below the base address. */
  send(target: string, init?: RequestInit): Promise<Response>;
}

export function createApiClient(baseUrl: string, authorization: string): ApiClient {
  const send = async (target: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', authorization);
    const response = await fetch(new URL(target, baseUrl), { ...init, headers, redirect: 'error' });
    if (!response.ok) throw new ApiFailure(response.status, sentenceOf(await response.text(), response.status));
    return response;
  };
  return {
    baseUrl,
    send,
    async call(id, input = {}, signal) {
      const operation: AnyOperation = operations[id];
      const target = `${fillPath(operation.path, input.params)}${queryText(input.query)}`;
      const response = await send(target, {
        method: operation.method,
        ...(input.body === undefined
          ? {}
          : { body: JSON.stringify(input.body), headers: { 'content-type': 'application/json' } }),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.text();
      // The service checks its answers against the same table of operations that gives this type.
      return (text === '' ? undefined : JSON.parse(text)) as OutputOf<Operations[typeof id]>;
    },
  };
}

function fillPath(path: string, params: unknown): string {
  const values = new Map(Object.entries((params ?? {}) as Record<string, unknown>));
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(values.get(name))));
}

function queryText(query: unknown): string {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  return `?${new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)]))}`;
}

/** The service's error bodies: `{detail}`, `{field: [messages]}`, `[messages]`, a JSON string or plain text. */
export function sentenceOf(body: string, status: number): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body.trim() === '' ? `The service answered with status ${status}.` : body.trim().slice(0, 2000);
  }
  const sentences = collectSentences(value, '');
  return sentences.length === 0 ? `The service answered with status ${status}.` : sentences.join(' ');
}

function collectSentences(value: unknown, field: string): string[] {
  if (typeof value === 'string') return [field === '' ? value : `${field}: ${value}`];
  if (Array.isArray(value)) return value.flatMap((item) => collectSentences(item, field));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    collectSentences(item, key === 'detail' || key === 'non_field_errors' ? field : key),
  );
}
