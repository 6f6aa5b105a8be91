import { z } from 'zod';

type Json = Record<string, unknown>;

interface DocumentedOperation {
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<Record<string, Json>>;
}

export interface Breach {
  readonly request: string;
  readonly status: number;
  readonly problem: string;
}

/**
 * Checks answers against the OpenAPI document of their service: operation, status, and the body against the schema,
 * including missing and additional keys.
 */
export function createAnswerCheck(document: Json) {
  const operations = readOperations(document);
  const schemas = readSchemas(document, operations);

  function find(method: string, path: string): DocumentedOperation | undefined {
    const fits = operations.filter((one) => one.method === method && one.pattern.test(path));
    // A path with fewer parameters is more specific: `/api/users/self` is not a user named self.
    return fits.toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)[0];
  }

  return {
    /** The problem with an answer, or null. `body` is undefined if it is not JSON. */
    problem(method: string, path: string, status: number, body: unknown): string | null {
      const operation = find(method, path) ?? (method === 'HEAD' ? find('GET', path) : undefined);
      const isUnknown = body !== undefined && ![404, 405, 410].includes(status);
      if (!operation || method === 'OPTIONS')
        return isUnknown && method !== 'OPTIONS' ? 'the document does not have this operation' : null;
      const response =
        operation.responses[String(status)] ?? (status < 400 ? undefined : operation.responses['default']);
      if (!response) return `the document does not have status ${status} of ${operation.template}`;
      const content = Object.values((response['content'] ?? {}) as Record<string, Json>)[0];
      if (!content) return status < 300 && body !== undefined ? 'a body where the document has none' : null;
      if (body === undefined || content['schema'] === undefined) return null;
      const parsed = schemas.get(content['schema'])?.safeParse(body);
      if (!parsed || parsed.success) return null;
      const [issue] = parsed.error.issues;
      return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'does not fit'} (of ${JSON.stringify(body).slice(0, 300)})`;
    },
  };
}

/**
 * Converts the schemas of all answers together. zod resolves references inside one schema only, so that separate
 * conversions would duplicate everything they refer to.
 */
function readSchemas(document: Json, operations: readonly DocumentedOperation[]): ReadonlyMap<unknown, z.ZodType> {
  const { schemas: named = {} } = document['components'] as { schemas?: Json };
  const given = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) =>
      Object.values((response['content'] ?? {}) as Record<string, Json>).map((content) => content['schema']),
    ),
  );
  const all = [...new Set(given.filter((schema) => schema !== undefined))];
  const whole = { type: 'object', properties: { ...all }, $defs: named };
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  const { def } = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]) as z.ZodObject;
  return new Map(all.map((schema, index) => [schema, (def.shape[index] as z.ZodOptional<z.ZodType>).unwrap()]));
}

function readOperations(document: Json): DocumentedOperation[] {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      method: method.toUpperCase(),
      template,
      pattern: patternOf(template),
      responses: resolved(document, entry['responses'] as Record<string, Json>),
    })),
  );
}

/** Resolves references to responses that several operations share. */
function resolved(document: Json, responses: Record<string, Json>): Record<string, Json> {
  const shared = (document['components'] as { responses?: Record<string, Json> }).responses ?? {};
  const resolve = (response: Json): Json => {
    const name = typeof response['$ref'] === 'string' ? response['$ref'].split('/').at(-1) : undefined;
    return name === undefined ? response : (shared[name] ?? {});
  };
  return Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, resolve(response)]));
}

/** A trailing slash is optional if the template has one. */
function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped.replace(/\/$/, '/?')}$`);
}

type AnswerCheck = ReturnType<typeof createAnswerCheck>;

/** One document for all services of a run, because they have the same sources. */
let documented: AnswerCheck | null = null;

/**
 * Checks every `fetch` of this process to a service against the service's document. Answers of other servers and bodies
 * that are not JSON pass. `restore` resets `fetch`.
 */
export function watchAnswers(): { readonly breaches: readonly Breach[]; readonly restore: () => void } {
  const original = globalThis.fetch;
  const breaches: Breach[] = [];

  async function checkOf(origin: string): Promise<AnswerCheck | null> {
    if (documented) return documented;
    // The service may have stopped; the next answer tries again.
    const answer = await original(new URL('/api/schema/', origin)).catch(() => null);
    const text = answer?.ok === true ? await answer.text().catch(() => null) : null;
    return text === null ? null : (documented ??= createAnswerCheck(JSON.parse(text) as Json));
  }

  globalThis.fetch = async (input, init) => {
    const { method = 'GET' } = init ?? {};
    const answer = await original(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    // Fakes of other services, and answers before routing, have no such header.
    if (!url.pathname.startsWith('/api/') || !answer.headers.has('X-Request-Id')) return answer;
    const check = await checkOf(url.origin);
    // The document itself, and exported files, are JSON of another kind.
    const isJson = /vnd\.cvat\+json/.test(answer.headers.get('Content-Type') ?? '');
    const body = isJson && method !== 'HEAD' ? await jsonOf(answer) : undefined;
    const problem = check?.problem(method, decodedPath(url), answer.status, body) ?? null;
    if (problem !== null) breaches.push({ request: `${method} ${url.pathname}`, status: answer.status, problem });
    return answer;
  };
  return {
    breaches,
    restore: () => {
      globalThis.fetch = original;
    },
  };
}

/** Undefined if the body ended early, which the test itself must notice. */
const jsonOf = (answer: Response): Promise<unknown> =>
  answer
    .clone()
    .json()
    .catch(() => undefined);

function decodedPath({ pathname }: URL): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
