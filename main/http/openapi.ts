import { z } from 'zod';
import type { AnyOperation, RawOperation } from '../../preload/contract/operation.ts';
import { defined } from '../platform/defined.ts';
import { operationList, rawOperationList } from '../../preload/contract/operations/index.ts';
import { mediaType } from './responses.ts';
import { schemaNames } from './schema-names.ts';
import { serviceVersion } from './versioning.ts';

type Json = Record<string, unknown>;
type Components = Record<string, Json>;

/** Errors that any request may get: see `errors.ts`. Internal errors are left out. */
const errorAnswers: Readonly<Record<string, string>> = {
  '400': 'Wrong input; messages by field',
  '401': 'Credentials are missing or wrong',
  '403': 'Not allowed',
  '404': 'There is no such object',
  '406': 'No media type that the client accepts',
  '429': 'Too many requests, or not ready yet: retry after Retry-After',
  '503': 'The store is busy, damaged or on a failing disk, or a required program does not respond',
  '507': 'The disk is full',
};
/** Further errors of requests that send or change data. */
const changeErrors: Readonly<Record<string, string>> = {
  '409': 'Already in progress, or not in the required state',
  '413': 'Larger than the limit',
  '415': 'Unsupported media type',
};
const rangeErrors: Readonly<Record<string, string>> = { '416': 'Range not satisfiable' };
const removedForms: Readonly<Record<string, string>> = { '410': 'This form of the request was removed' };

export function openapiDocument(): Json {
  const paths: Record<string, Json> = {};
  const schemas: Components = {};
  const add = (path: string, method: string, entry: Json) => {
    (paths[path] ??= {})[method.toLowerCase()] = entry;
  };
  for (const [id, operation] of operationList) add(operation.path, operation.method, describe(id, operation, schemas));
  for (const [, operation] of rawOperationList) {
    const { path, method, documentedAs = method, hidden } = operation;
    if (hidden !== true) add(path, documentedAs, describe(rawId(documentedAs, path), operation, schemas));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Limner',
      version: serviceVersion,
      description: 'CVAT-compatible API of Limner on this computer.',
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: errorComponents(),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sessionid' },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'Token <key>, as returned by the login',
        },
        accessToken: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
    security: [{ session: [] }, { token: [] }, { accessToken: [] }, { basic: [] }],
  };
}

function describe(id: string, operation: AnyOperation | RawOperation, schemas: Components): Json {
  const { method, path, summary, query, open } = operation;
  const isRaw = 'statuses' in operation;
  const { statuses, outputs, headers }: Pick<RawOperation, 'statuses' | 'outputs' | 'headers'> = isRaw
    ? operation
    : { statuses: [operation.status], outputs: operation.output ? { [operation.status]: operation.output } : {} };
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    parameters: [
      ...pathParameters(path),
      ...parameters('query', query, schemas),
      ...parameters('header', headers, schemas),
    ],
    ...requestBody(operation, schemas),
    responses: {
      ...Object.fromEntries(
        statuses.map((status) => {
          const output = outputs?.[status];
          const content = output && { content: { [mediaType]: { schema: schemaOf(output, 'output', schemas) } } };
          return [status, { description: summary, ...content }];
        }),
      ),
      ...(method === 'GET' && !outputs ? { 304: { description: 'Not modified' } } : {}),
      ...errors({ ...operation, statuses }),
    },
    security: open === true ? [] : undefined,
  };
}

/** `get_api_tasks_id_data`: clients of raw operations know them by their paths. */
const rawId = (method: string, path: string): string =>
  `${method.toLowerCase()}_${path.replaceAll(/[^a-z0-9_]+/gi, '_').replaceAll(/^_+|_+$/g, '')}`;

const tagOf = ({ path }: { readonly path: string }): string => path.split('/')[2] ?? '';

function requestBody(operation: AnyOperation | RawOperation, schemas: Components): Json {
  if ('statuses' in operation) {
    if (operation.fileField === undefined) return {};
    const file = { [operation.fileField]: { type: 'string', format: 'binary' } };
    const schema = { type: 'object', properties: file };
    return { requestBody: { required: false, content: { 'multipart/form-data': { schema } } } };
  }
  if (!operation.body) return {};
  const schema = schemaOf(operation.body, 'input', schemas);
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

/** Messages by field, a list of messages, or a single message: see `errors.ts`. */
const errorBody: Json = {
  anyOf: [{ type: 'object' }, { type: 'array', items: {} }, { type: 'string' }],
};
const errorContent = { [mediaType]: { schema: errorBody }, 'text/plain': { schema: { type: 'string' } } };

function errorComponents(): Json {
  const all = Object.entries({ ...errorAnswers, ...changeErrors, ...rangeErrors, ...removedForms });
  return Object.fromEntries([
    ...all.map(([status, description]) => [`error${status}`, { description, content: errorContent }]),
    ['errorOfFunction', { description: 'Answer of the function or its platform', content: errorContent }],
  ]);
}

interface Refusing {
  readonly method: string;
  readonly path: string;
  readonly open?: boolean;
  readonly statuses?: readonly number[];
}

function errors({ method, path, open, statuses = [] }: Refusing): Json {
  const known = {
    ...errorAnswers,
    ...(method === 'GET' ? {} : changeErrors),
    ...(statuses.includes(206) ? rangeErrors : {}),
    ...(method === 'GET' && path.endsWith('/annotations/') ? removedForms : {}),
  };
  const entries = Object.entries(known).filter(([status]) => open !== true || (status !== '401' && status !== '403'));
  const described = entries.map(([status]) => [status, { $ref: `#/components/responses/error${status}` }]);
  // These answers come from another program, with any status.
  const isForwarded = /^(lambda|models)$/.test(tagOf({ path }));
  const other = isForwarded ? { default: { $ref: '#/components/responses/errorOfFunction' } } : {};
  return { ...Object.fromEntries(described), ...other };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name === 'id' && !path.startsWith('/api/requests') ? 'integer' : 'string' },
  }));
}

function parameters(place: 'query' | 'header', schema: z.ZodType | undefined, schemas: Components): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  // Query values are text on the wire; the parsed schema has their types.
  const input = schemaOf(schema, 'input', schemas);
  const output = schemaOf(schema, 'output', schemas);
  const known = new Set(input['required'] as string[] | undefined);
  return Object.entries<z.ZodType>(schema.shape).map(([name, part]) => {
    const { description, required = known.has(name), enum: values } = part.meta() ?? {};
    const parsed = property(output, name);
    return {
      name,
      in: place,
      description,
      required,
      schema: {
        ...(Object.keys(parsed).length > 0 ? parsed : property(input, name)),
        ...defined({ enum: values }),
      },
    };
  });
}

function property(schema: Json, name: string): Json {
  return ((schema['properties'] as Record<string, Json> | undefined) ?? {})[name] ?? {};
}

/**
 * JSON Schema for the document. Named schemas become components: one for answers, and one for requests, because
 * requests may omit fields with a default.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): Json {
  const {
    $schema: _dialect,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: schemaNames }) as {
    readonly $schema?: string;
    readonly $defs?: Readonly<Record<string, Json>>;
  } & Json;
  const named = Object.entries($defs ?? {}).map(([id, definition]) => {
    const isSplit = io === 'input' && definition['type'] === 'object' && !id.endsWith('Request');
    return { id, name: isSplit ? `${id}Request` : id, definition };
  });
  const references = new Map(named.map(({ id, name }) => [`#/$defs/${id}`, `#/components/schemas/${name}`]));
  const placed = (part: Json): Json =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' ? (references.get(value) ?? value) : value,
    ) as Json;
  for (const { name, definition } of named) components[name] ??= placed(definition);
  return placed(rest);
}
