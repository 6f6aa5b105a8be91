import type { z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the service API: the single source of its route, its handler's types, the renderer's client and
 * its entry in the OpenAPI document. Paths are OpenAPI templates (`/api/tasks/{id}`).
 */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  readonly method: HttpMethod;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Status of the good answer. 204 and 205 carry no body. */
  readonly status: 200 | 201 | 202 | 204;
  /** Open to requests without credentials. */
  readonly open?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly output?: Output;
}

export function operation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Output extends z.ZodType = z.ZodUndefined,
>(definition: Operation<Params, Query, Body, Output>): Operation<Params, Query, Body, Output> {
  return definition;
}

export type AnyOperation = Operation<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

export type ParamsOf<O> = O extends Operation<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never;
export type QueryOf<O> = O extends Operation<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
export type BodyOf<O> = O extends Operation<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never;
export type OutputOf<O> = O extends Operation<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;
/** What a client sends: before defaults and coercion. */
export type QueryInputOf<O> = O extends Operation<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never;
export type BodyInputOf<O> = O extends Operation<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never;
export type ParamsInputOf<O> = O extends Operation<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.input<P> : never;
