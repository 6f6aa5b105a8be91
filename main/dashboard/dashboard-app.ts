import { Readable } from 'node:stream';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { deploySchema } from '../../preload/contract/schema/functions.ts';
import { isAdmin } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import type { Functions } from '../functions/functions.ts';
import { ConfigurationError } from '../functions/configuration/configuration-error.ts';
import { parseDurationMs } from '../functions/configuration/quantities.ts';
import { projectLabel } from '../functions/configuration/parse-configuration.ts';
import { defaults } from '../functions/configuration/defaults.ts';
import { MissingGrants } from '../functions/policy/permissions.ts';
import { openNetworkGrant } from '../functions/engines/docker/reach.ts';
import { InvocationProblem } from '../functions/engines/invoke.ts';
import { authenticate, type Authenticators } from '../http/authentication.ts';
import type { Connection } from '../http/unauthenticated-body.ts';
import { securityHeaders } from '../http/responses.ts';
import { AppError, errorStatus, ForwardedError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { functionObject, projectObject, replicaName } from './nuclio-objects.ts';
import { pageFiles } from './page.ts';

export interface DashboardDependencies {
  readonly functions: Functions;
  readonly authenticators: Authenticators;
  readonly log: Logger;
}

interface Environment {
  Variables: { actor: Actor };
  /** Absent if the app is called without a server. */
  Bindings: Partial<Connection>;
}
type Call = Context<Environment>;

const maxBodyBytes = 512 * 1024 * 1024;
const defaultInvokeMs = 60_000;

/**
 * The function dashboard: Nuclio's REST API for Limner's functions, and a web page. It uses the same guard and
 * authentication as the service.
 */
export function createDashboardApp({ functions, authenticators, log }: DashboardDependencies): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use('*', async (context, next) => {
    await next();
    for (const [name, value] of securityHeaders) context.res.headers.set(name, value);
    context.res.headers.set('Cache-Control', 'no-store');
  });
  app.use('*', async (context, next) => {
    const identity = await authenticate(authenticators, context.req.raw);
    if (!identity) {
      const headers = { 'WWW-Authenticate': 'Basic realm="Limner functions", charset="UTF-8"' };
      return context.json({ error: 'Credentials are needed', errorStackTrace: '' }, 401, headers);
    }
    context.env?.proven?.();
    const { user, credentials } = identity;
    const actor: Actor = {
      userId: user.id,
      username: user.username,
      group: user.group_name,
      organization: { kind: 'all' },
      readOnly: credentials.kind === 'access-token' && credentials.readOnly,
      baseUrl: '',
    };
    // Functions run programs on this computer, so the dashboard is limited to administrators.
    if (!isAdmin(actor)) throw new AppError('forbidden', 'Only an administrator may use the function dashboard.');
    context.set('actor', actor);
    await next();
    return undefined;
  });
  app.onError((error, context) => problem(context, error, log));
  mountFunctions(app, functions);
  mountProjects(app, functions);
  mountOther(app, functions);
  for (const { path, type, text } of pageFiles) {
    app.get(path, () => new Response(text, { headers: { 'Content-Type': type } }));
  }
  app.notFound((context) => context.json({ error: 'Not found', errorStackTrace: '' }, 404));
  return app;
}

function problem(context: Call, error: unknown, log: Logger): Response {
  const answer = (status: number, text: string) => Response.json({ error: text, errorStackTrace: text }, { status });
  if (error instanceof ForwardedError) return answer(error.status, error.message);
  if (error instanceof InvocationProblem)
    return answer(errorStatus[error.code], `Failed to invoke function: ${error.message}`);
  if (error instanceof AppError && error.code !== 'internal') return answer(errorStatus[error.code], error.message);
  if (error instanceof z.ZodError) return answer(400, z.prettifyError(error));
  log.error('A request to the function dashboard failed', { path: context.req.path, error });
  return answer(500, 'An unexpected error occurred. The log has the details.');
}

const metadataSchema = z.object({
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).nullish() }),
  spec: z.record(z.string(), z.unknown()).nullish(),
});

async function bodyOf(context: Call): Promise<z.output<typeof metadataSchema>> {
  const text = await context.req.text();
  try {
    return metadataSchema.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof z.ZodError) throw cause;
    throw new AppError('invalid', 'Failed to parse JSON body', undefined, { cause });
  }
}

function mountFunctions(app: Hono<Environment>, functions: Functions): void {
  const { service, records } = functions;
  const objectOf = (actor: Actor, name: string, detailed = false) =>
    functionObject(service.get(actor, name), records.require(name).document, detailed);
  const wanted = (context: Call, project: string) => {
    const header = context.req.header('x-nuclio-project-name');
    return header === undefined || header === '' || header === '*' || header === project;
  };

  app.get('/api/functions', (context) => {
    const actor = context.get('actor');
    // Model files in Limner and native functions of cvat-cli are omitted, because Nuclio's tools cannot deploy them.
    const list = service
      .list(actor)
      .filter(({ name, project }) => records.get(name) !== undefined && wanted(context, project));
    return context.json(Object.fromEntries(list.map(({ name }) => [name, objectOf(actor, name)])));
  });
  app.get('/api/functions/:name', (context) => {
    const name = context.req.param('name');
    if (!records.get(name)) return context.json({ error: 'Function not found', errorStackTrace: '' }, 404);
    const found = objectOf(context.get('actor'), name, true);
    // The import format of other dashboards: the configuration without the status.
    if (context.req.query('export') === 'true') return context.json({ metadata: found.metadata, spec: found.spec });
    return context.json(found);
  });
  app.post('/api/functions', async (context) => {
    const body = await bodyOf(context);
    if (records.get(body.metadata.name))
      throw new AppError('conflict', `Function ${body.metadata.name} exists already`);
    await deploy(context, functions, body);
    return context.body(null, 202);
  });
  app.put('/api/functions/:name', async (context) => {
    const body = await bodyOf(context);
    const name = context.req.param('name');
    if (body.metadata.name !== name)
      throw new AppError('invalid', 'The name in the body is another one than in the path');
    await deploy(context, functions, body);
    return context.body(null, 202);
  });
  app.patch('/api/functions/:name', async (context) => {
    const { desiredState } = z
      .object({ desiredState: z.enum(['ready', 'scaledToZero']) })
      .parse(await context.req.json());
    const state = desiredState === 'ready' ? 'ready' : 'stopped';
    await service.update(context.get('actor'), context.req.param('name'), { state });
    return context.body(null, 202);
  });
  const remove = async (context: Call, name: string) => {
    const record = records.get(name);
    if (record?.row.state === 'building') throw new ForwardedError(412, `Function ${name} is being deployed`);
    if (record) await service.remove(context.get('actor'), name);
    return context.body(null, 204);
  };
  app.delete('/api/functions', async (context) => remove(context, (await bodyOf(context)).metadata.name));
  app.delete('/api/functions/:name', (context) => remove(context, context.req.param('name')));
  app.get('/api/functions/:name/replicas', (context) => {
    const { name, namespace } = service.get(context.get('actor'), context.req.param('name'));
    return context.json({ names: [replicaName(name, namespace)] });
  });
  app.get('/api/functions/:name/logs/:replica', (context) => answerLog(context, functions));
}

/** Deploys like the service; configurations with extra permissions are rejected here as well. */
async function deploy(context: Call, functions: Functions, body: z.output<typeof metadataSchema>): Promise<void> {
  const project = context.req.header('x-nuclio-project-name') ?? body.metadata.labels?.[projectLabel];
  if (project !== undefined && !functions.projects.exists(project))
    throw new ForwardedError(412, 'Project does not exist');
  const actor = context.get('actor');
  const request = deploySchema.parse({
    configuration: JSON.stringify({ metadata: body.metadata, spec: body.spec ?? {} }),
    configuration_name: 'the function',
    grants: functions.dashboardGrants(body.metadata.name),
    project,
  });
  try {
    const { name } = await functions.service.deploy(actor, request);
    if (context.req.header('x-nuclio-wait-function-action') === 'true') await functions.service.deployed(name);
  } catch (error) {
    if (error instanceof MissingGrants) throw new AppError('forbidden', `${error.message} ${howToGrant(error)}`);
    // Nuclio answers 412 if the function is being deployed.
    const isBusy = error instanceof AppError && error.code === 'conflict' && !(error instanceof ConfigurationError);
    throw isBusy && functions.records.get(body.metadata.name)?.row.state === 'building'
      ? new ForwardedError(412, error.message)
      : error;
  }
}

function howToGrant({ permissions }: MissingGrants): string {
  const options = permissions.map(({ id }) => `--allow '${id}'`).join(' ');
  const setting = permissions.every(({ id }) => id === openNetworkGrant)
    ? ', or set dashboard-own-servers to true'
    : '';
  return `Deploy it once with limner function deploy ${options}${setting}; the dashboard can deploy it from then on.`;
}

async function answerLog(context: Call, { service }: Functions): Promise<Response> {
  const actor = context.get('actor');
  const name = context.req.param('name') ?? '';
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  const tail = Number(context.req.query('tailLines') ?? '1000') || 1000;
  if (context.req.query('follow') !== 'true') {
    return new Response(await service.log(actor, name, Math.min(tail, 100_000)), { headers });
  }
  service.get(actor, name);
  const lines = Readable.from(service.followLog(actor, name, context.req.raw.signal));
  return new Response(Readable.toWeb(lines) as ReadableStream, { headers });
}

function mountProjects(app: Hono<Environment>, { projects, records, service }: Functions): void {
  const namespace = (context: Call) => context.req.header('x-nuclio-project-namespace') ?? defaults.namespace;
  app.get('/api/projects', (context) =>
    context.json(
      Object.fromEntries(
        projects.list(context.get('actor')).map((one) => [one.name, projectObject(one, namespace(context))]),
      ),
    ),
  );
  app.get('/api/projects/:name', (context) =>
    context.json(projectObject(projects.get(context.get('actor'), context.req.param('name')), namespace(context))),
  );
  const put = async (context: Call) => {
    const { metadata, spec } = await bodyOf(context);
    const description: unknown = spec?.['description'];
    projects.put(context.get('actor'), metadata.name, typeof description === 'string' ? description : '');
    return metadata.name;
  };
  app.post('/api/projects', async (context) => {
    const name = await put(context);
    return context.json(projectObject(projects.get(context.get('actor'), name), namespace(context)), 201);
  });
  app.put('/api/projects/:name', async (context) => {
    await put(context);
    return context.body(null, 204);
  });
  app.delete('/api/projects', async (context) => {
    const { metadata } = await bodyOf(context);
    const strategy = context.req.header('x-nuclio-delete-project-strategy') ?? 'restricted';
    const actor = context.get('actor');
    if (strategy === 'cascading') {
      for (const { name, project } of service.list(actor)) {
        if (project === metadata.name && records.get(name) !== undefined) await service.remove(actor, name);
      }
    }
    projects.remove(actor, metadata.name, { check: strategy === 'check' });
    return context.body(null, 204);
  });
}

function mountOther(app: Hono<Environment>, functions: Functions): void {
  app.all('/api/function_invocations', (context) => invoke(context, functions));
  app.get('/api/namespaces', (context) => context.json({ namespaces: { names: [defaults.namespace] } }));
  app.get('/api/versions', (context) =>
    context.json({ dashboard: { label: 'limner', arch: process.arch, os: process.platform } }),
  );
  app.get('/api/external_ip_addresses', (context) =>
    context.json({ externalIPAddresses: { addresses: ['127.0.0.1'] } }),
  );
  app.get('/api/frontend_spec', (context) =>
    context.json({ externalIPAddresses: ['127.0.0.1'], namespace: defaults.namespace, imageNamePrefixTemplate: '' }),
  );
  app.get('/api/function_templates', (context) => context.json({}));
  app.get('/api/function_events', (context) => context.json({}));
}

/** Headers for the dashboard or a single connection, which are not forwarded to the function. */
const notPassedOn =
  /^(x-nuclio-(?!log-level$)|x-limner-(?!log-level$)|host$|authorization$|cookie$|connection$|content-length$|transfer-encoding$|origin$|referer$|sec-|accept-encoding$)/i;

async function invoke(context: Call, { catalog }: Functions): Promise<Response> {
  const { raw } = context.req;
  const header = (...names: string[]) =>
    names.map((name) => raw.headers.get(name)).find((value) => value !== null) ?? undefined;
  const name = header('x-nuclio-function-name', 'x-limner-function-name', 'x-nuclio-target', 'x-limner-target');
  if (name === undefined || name === '') throw new AppError('invalid', 'Function name must be provided');
  const found = await catalog.find(name);
  if (!found) throw new AppError('not-found', 'Function not found');
  const path = header('x-nuclio-path', 'x-limner-path') ?? '/';
  const given = parseDurationMs(header('x-nuclio-invoke-timeout', 'x-limner-invoke-timeout'));
  const headers: Record<string, string> = {};
  raw.headers.forEach((value, key) => {
    if (!notPassedOn.test(key)) headers[key] = value;
  });
  const answer = await catalog.invoke(name, {
    method: raw.method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers,
    body: [await bytesOf(raw)],
    timeoutMs: given ?? Math.max(defaultInvokeMs, found.timeoutMs),
    signal: raw.signal,
  });
  const kept = Object.entries(answer.headers).filter(
    ([key]) =>
      !/^(x-nuclio-(?!logs$)|connection$|keep-alive$|transfer-encoding$|content-length$|date$|server$|set-cookie$)/i.test(
        key,
      ),
  );
  return new Response([204, 205, 304].includes(answer.status) ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: kept,
  });
}

async function bytesOf(raw: Request): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let received = 0;
  for await (const piece of raw.body ?? []) {
    received += piece.byteLength;
    if (received > maxBodyBytes)
      throw new AppError('too-large', `The request is larger than ${maxBodyBytes / 1024 / 1024} MiB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
