import { z } from 'zod';
import { idParams, listQuery, pageSchema } from './schema/common.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the service API: the single source of its route, its handler's types, the renderer's client and its
 * entry in the OpenAPI document. Paths are OpenAPI templates (`/api/tasks/{id}`).
 */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  readonly method: HttpMethod;
  readonly path: string;
  readonly summary: string;
  /** Success status. 204 has no body. */
  readonly status: 200 | 201 | 202 | 204;
  readonly open?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly output?: Output;
}

type Parts<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Output extends z.ZodType,
> = Partial<Pick<Operation<Params, Query, Body, Output>, 'status' | 'open' | 'params' | 'query' | 'body' | 'output'>>;

/** A path with `{id}` needs no further declaration of its parameters. */
type UsualParams<Path extends string> = Path extends `${string}{id}${string}` ? typeof idParams : z.ZodUndefined;

const withMethod =
  (method: HttpMethod, usualStatus: AnyOperation['status']) =>
  <
    const Path extends string,
    Params extends z.ZodType = UsualParams<Path> & z.ZodType,
    Query extends z.ZodType = z.ZodUndefined,
    Body extends z.ZodType = z.ZodUndefined,
    Output extends z.ZodType = z.ZodUndefined,
  >(
    path: Path,
    summary: string,
    parts: Parts<Params, Query, Body, Output> = {},
  ): Operation<Params, Query, Body, Output> => {
    // `UsualParams` has the same condition for the type.
    const params = path.includes('{id}') ? { params: idParams as z.ZodType as Params } : {};
    return { method, path, summary, status: usualStatus, ...params, ...parts };
  };

export const operation = {
  get: withMethod('GET', 200),
  post: withMethod('POST', 201),
  put: withMethod('PUT', 200),
  patch: withMethod('PATCH', 200),
  delete: withMethod('DELETE', 204),
};

/** Common operations of a collection: list, create, read, update and delete. */
export const collection = <Item extends z.ZodType>(path: string, item: Item) => {
  const one = `${path}/{id}` as const;
  return {
    list: <Filters extends z.ZodRawShape>(summary: string, filters: Filters) =>
      operation.get(path, summary, { query: listQuery(filters), output: pageSchema(item) }),
    create: <Body extends z.ZodType>(summary: string, body: Body) =>
      operation.post(path, summary, { body, output: item }),
    get: (summary: string) => operation.get(one, summary, { output: item }),
    /** 404 if the object does not belong to the objects that the filters name. */
    getWithin: <Filters extends z.ZodRawShape>(summary: string, filters: Filters) =>
      operation.get(one, summary, { query: z.object(filters), output: item }),
    update: <Body extends z.ZodType>(summary: string, body: Body) =>
      operation.patch(one, summary, { body, output: item }),
    delete: (summary: string) => operation.delete(one, summary),
  };
};

export type AnyOperation = Operation<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

export type ParamsOf<O> = O extends Operation<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never;
export type QueryOf<O> = O extends Operation<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
export type BodyOf<O> = O extends Operation<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never;
export type OutputOf<O> = O extends Operation<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;
/** Client's view: before defaults and coercion. */
export type QueryInputOf<O> = O extends Operation<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never;
export type BodyInputOf<O> = O extends Operation<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never;
export type ParamsInputOf<O> = O extends Operation<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.input<P> : never;
