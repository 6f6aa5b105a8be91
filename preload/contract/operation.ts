import { z } from 'zod';
import { idParams, listQuery, pageSchema, rqIdSchema } from './schema/common.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Members of an operation of any kind. */
interface Route<Params extends z.ZodType, Query extends z.ZodType> {
  readonly method: HttpMethod;
  /** OpenAPI template, for example `/api/tasks/{id}`. A trailing slash is optional for clients. */
  readonly path: string;
  readonly summary: string;
  readonly open?: boolean;
  readonly params?: Params;
  readonly query?: Query;
}

/**
 * One operation of the service API: the single source of its route, its handler's types, the renderer's client and its
 * entry in the OpenAPI document.
 */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends Route<Params, Query> {
  readonly kind?: 'json';
  /** Success status. 204 has no body. */
  readonly status: 200 | 201 | 202 | 204;
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

/**
 * Operation that sends or receives more than JSON: files, pages, and streams that stay open. Its handler writes the
 * answer and reads the query when it has checked access.
 */
export interface RawOperation<Params extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> extends Route<
  Params,
  Query
> {
  readonly kind: 'bytes' | 'stream' | 'upload';
  /** Success statuses. JSON is answered with the first. */
  readonly statuses: readonly [number, ...number[]];
  /** Documented request headers. */
  readonly headers?: z.ZodObject;
  /** Schemas of JSON bodies by status; other bodies are bytes. */
  readonly outputs?: Readonly<Record<number, z.ZodType>>;
  /** Form field with a file. */
  readonly fileField?: string;
  /** Method in the OpenAPI document, if clients use another one that this operation also answers. */
  readonly documentedAs?: 'HEAD';
  /** True if the OpenAPI document leaves it out. */
  readonly hidden?: boolean;
}

/** Decimal number in a path. Other text answers 404. */
const digits = (pattern: RegExp) => z.string().regex(pattern).transform(Number);
export const pathId = digits(/^\d{1,15}$/);
export const pathNumber = digits(/^\d{1,9}$/);
const rawIdParams = z.object({ id: pathId });
type RawParams<Path extends string> = Path extends `${string}{id}${string}` ? typeof rawIdParams : z.ZodUndefined;

const ofKind =
  (
    kind: RawOperation['kind'],
    usualStatuses: RawOperation['statuses'],
    usual: Partial<Omit<RawOperation, 'params' | 'query'>> = {},
  ) =>
  <
    const Path extends string,
    Params extends z.ZodType = RawParams<Path> & z.ZodType,
    Query extends z.ZodType = z.ZodUndefined,
  >(
    path: Path,
    summary: string,
    parts: Partial<Omit<RawOperation<Params, Query>, 'kind' | 'path' | 'summary'>> = {},
  ): RawOperation<Params, Query> => {
    const params = path.includes('{id}') ? { params: rawIdParams as z.ZodType as Params } : {};
    return { kind, method: 'GET', path, summary, statuses: usualStatuses, ...usual, ...params, ...parts };
  };

/** Text in a query or header of a raw operation. Its values and necessity are documented; the handler checks them. */
export const text = (description: string, documented: { values?: readonly string[]; required?: true } = {}) => {
  const { values, required } = documented;
  return z
    .string()
    .optional()
    .meta({ description, ...(required && { required }), ...(values && { enum: values }) });
};

const uploadHeaders = z.object({
  'Upload-Start': text('Starts a stepwise upload'),
  'Upload-Length': text('Creates a resumable upload of this many bytes'),
  'Upload-Metadata': text('Base64 values: filename, and local_path for a file on this computer'),
  'Upload-Multiple': text('Adds the files of this form'),
  'Upload-Finish': text('Finishes a stepwise upload and starts the work'),
});

export const raw = {
  /** A file, with ranges. */
  bytes: ofKind('bytes', [200, 206]),
  stream: ofKind('stream', [200]),
  /** Files that start a background request; {@link uploadSteps} are its further operations. */
  upload: ofKind('upload', [200, 201, 202], {
    method: 'POST',
    headers: uploadHeaders,
    outputs: { 202: rqIdSchema },
  }),
};

/** Operations of resumable uploads (TUS) below the path of an upload, which ends with a slash. */
export function uploadSteps({ path, params }: RawOperation): RawOperation[] {
  const file = { file_id: z.string() };
  const step = {
    kind: 'upload' as const,
    path: `${path}{file_id}`,
    params: params instanceof z.ZodObject ? params.extend(file) : z.object(file),
  };
  return [
    {
      ...step,
      method: 'PATCH',
      summary: 'Append to an upload',
      statuses: [204],
      headers: z.object({ 'Upload-Offset': text('Offset of these bytes', { required: true }) }),
    },
    // Routes for GET also answer HEAD.
    { ...step, method: 'GET', documentedAs: 'HEAD', summary: 'Offset of an upload', statuses: [200] },
  ];
}

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

/**
 * Schema of one part of an operation. Reads only this member: for `Operation<infer …>` the compiler compares all other
 * schemas of the operation with `z.ZodType`, too.
 */
type SchemaOf<O, Part extends string> = O extends { readonly [Key in Part]?: infer Schema } ? Schema : never;

export type ParamsOf<O> = z.output<SchemaOf<O, 'params'>>;
export type QueryOf<O> = z.output<SchemaOf<O, 'query'>>;
export type BodyOf<O> = z.output<SchemaOf<O, 'body'>>;
export type OutputOf<O> = z.output<SchemaOf<O, 'output'>>;
/** Client's view: before defaults and coercion. */
export type QueryInputOf<O> = z.input<SchemaOf<O, 'query'>>;
export type BodyInputOf<O> = z.input<SchemaOf<O, 'body'>>;
export type ParamsInputOf<O> = z.input<SchemaOf<O, 'params'>>;
