import { z } from 'zod';

type Json = Record<string, unknown>;

interface DocumentedOperation {
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<Record<string, Json>>;
}

/** One answer that the document does not allow. */
export interface Breach {
  readonly request: string;
  readonly status: number;
  readonly problem: string;
}

/**
 * Compares answers with the OpenAPI document of the service that gives them: the operation, its status, and the body
 * against the status's schema, down to keys that are missing or too many.
 */
export function createAnswerCheck(document: Json) {
  const operations = readOperations(document);
  const schemas = new Map<unknown, z.ZodType>();
  const compiled = (schema: unknown): z.ZodType => {
    const known = schemas.get(schema) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    schemas.set(schema, known);
    return known;
  };

  function find(method: string, path: string): DocumentedOperation | undefined {
    const fits = operations.filter((one) => one.method === method && one.pattern.test(path));
    // A path with fewer parameters says more: `/api/users/self` is not a user called self.
    return fits.toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)[0];
  }

  return {
    /** The problem with an answer, or null. `body` is undefined where it is no JSON. */
    problem(method: string, path: string, status: number, body: unknown): string | null {
      const operation = find(method === 'HEAD' ? 'GET' : method, path);
      // Forms of requests that were given up are answered, and not described.
      if (!operation) return [404, 405, 410].includes(status) ? null : 'the document does not have this operation';
      const response = operation.responses[String(status)] ?? operation.responses['default'];
      if (!response) return `the document does not have status ${status} of ${operation.template}`;
      const content = Object.values((response['content'] ?? {}) as Record<string, Json>)[0];
      if (!content) return status < 300 && body !== undefined ? 'a body where the document has none' : null;
      if (body === undefined || content['schema'] === undefined) return null;
      const parsed = compiled(content['schema']).safeParse(body);
      if (parsed.success) return null;
      const [issue] = parsed.error.issues;
      return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'does not fit'} (of ${JSON.stringify(body).slice(0, 300)})`;
    },
  };
}

function readOperations(document: Json): DocumentedOperation[] {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      method: method.toUpperCase(),
      template,
      pattern: patternOf(template),
      responses: entry['responses'] as Record<string, Json>,
    })),
  );
}

/** A trailing slash is optional where the template has one. */
function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped.replace(/\/$/, '/?')}$`);
}

/**
 * Lets every `fetch` to a service be checked against its document until `restore`, and answers what was not allowed.
 * Bodies that are no JSON, and answers of other hosts, pass.
 */
export async function checkAnswersOf(baseUrl: string): Promise<{ breaches: Breach[]; restore: () => void }> {
  const original = globalThis.fetch;
  const document = (await (await original(new URL('/api/schema/', baseUrl))).json()) as Json;
  const check = createAnswerCheck(document);
  const breaches: Breach[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, { method: init?.method ?? 'GET' });
    const answer = await original(input, init);
    const url = new URL(request.url);
    if (url.origin !== new URL(baseUrl).origin || !url.pathname.startsWith('/api/')) return answer;
    const isJson = /json/.test(answer.headers.get('Content-Type') ?? '');
    const body: unknown = isJson ? await answer.clone().json() : undefined;
    const problem = check.problem(request.method, decodeURI(url.pathname), answer.status, body);
    if (problem !== null)
      breaches.push({ request: `${request.method} ${url.pathname}`, status: answer.status, problem });
    return answer;
  };
  return {
    breaches,
    restore: () => {
      globalThis.fetch = original;
    },
  };
}
