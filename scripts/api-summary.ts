import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInstance } from '../main/cli/instance.ts';
import { locateApplication } from '../main/platform/application.ts';
import { createSilentLogger } from '../main/platform/log.ts';

/** The parts of JSON Schema and OpenAPI that the service's document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
interface OperationEntry {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationEntry>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Readable summary of the service API: every operation, and every named schema with its fields. Contains a hash of the
 * complete document (/api/schema), so that comparing this text finds every change of the API.
 */
export async function apiSummary(root: string): Promise<string> {
  const text = await servedDocument(root);
  const { paths, components } = JSON.parse(text) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => operationLine(method, path, entry)),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `${name}: ${typeText(schema)}`);
  const heading = [
    'The service API: operations (method, path, ?query, body → good answers), then the schemas that they name.',
    'Made by "npm run generate" from the OpenAPI document, which a running Limner answers at /api/schema.',
    `SHA-256 of the document: ${createHash('sha256').update(text).digest('hex')}`,
  ];
  return `${[heading, operations, schemas].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

async function servedDocument(root: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'limner-api-'));
  try {
    const instance = await startInstance({
      application: locateApplication(join(root, 'main'), 'cli.ts'),
      dataDirectory: directory,
      port: 0,
      dashboardPort: 0,
      password: null,
      log: createSilentLogger(),
    });
    try {
      return await (await fetch(`${instance.url}/api/schema/?scheme=json`)).text();
    } finally {
      await instance.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function operationLine(method: string, path: string, { parameters, requestBody, responses }: OperationEntry): string {
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, required }) => `${name}${required ? '!' : ''}`);
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const parts = [
    `${method.toUpperCase()} ${path}`,
    query.length === 0 ? '' : `?${query.join('&')}`,
    bodyText(requestBody?.content),
    '→',
    good.map(([status, { content }]) => `${status} ${bodyText(content)}`.trim()).join(', '),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function bodyText(content: Content | undefined): string {
  const [first] = Object.values(content ?? {});
  return first?.schema === undefined ? '' : typeText(first.schema);
}

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeText).join(' | ');
  if (schema.type === 'array') return `(${typeText(schema.items ?? {})})[]`.replace(/^\((\w+)\)/, '$1');
  if (schema.properties === undefined) return [schema.type ?? 'anything'].flat().join(' | ');
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => `${name}${schema.required?.includes(name) === true ? '' : '?'}: ${typeText(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}
