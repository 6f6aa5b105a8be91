import { z } from 'zod';
import { AppError, type ErrorCode } from '../../../platform/errors.ts';
import type { Invoker } from '../invoke.ts';
import { InvocationProblem } from '../invoke.ts';
import {
  defaultTimeoutMs,
  type FunctionProvider,
  type Invocation,
  type InvocationAnswer,
  type ProvidedFunction,
} from '../provider.ts';
import { defined } from '../../../platform/defined.ts';

export interface DashboardSettings {
  readonly url: string;
  readonly namespace: string;
  /** Limits functions to this Nuclio project; empty for all. */
  readonly project: string;
  /** `direct` calls functions at the port that the dashboard reports; `dashboard` calls them through the dashboard. */
  readonly invoke: 'direct' | 'dashboard';
  /** Authorization header for the dashboard; it is not sent to functions. */
  readonly authorization?: string;
}

const listTimeoutMs = 15_000;

/** Fields of Nuclio's function objects that are used; others are ignored. */
const functionSchema = z.object({
  metadata: z.object({
    name: z.string(),
    labels: z.record(z.string(), z.unknown()).nullish(),
    annotations: z.record(z.string(), z.unknown()).nullish(),
  }),
  spec: z
    .object({
      description: z.string().nullish(),
      triggers: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  status: z
    .object({ state: z.string().nullish(), message: z.string().nullish(), httpPort: z.number().nullish() })
    .nullish(),
});

/** Functions of a Nuclio dashboard, for setups that need more than one computer. */
export function createNuclioProvider(dashboard: DashboardSettings, invoker: Invoker): FunctionProvider {
  const headers: Record<string, string> = {
    'x-nuclio-function-namespace': dashboard.namespace,
    'x-nuclio-invoke-via': 'domain-name',
    'X-Nuclio-Invoke-Timeout': `${defaultTimeoutMs / 1000}s`,
    ...defined({
      'x-nuclio-project-name': dashboard.project === '' ? undefined : dashboard.project,
      Authorization: dashboard.authorization,
    }),
  };
  const base = dashboard.url.replace(/\/+$/, '');

  async function get(path: string): Promise<unknown> {
    const answer = await invoker.send(base, {
      method: 'GET',
      path,
      headers: { ...headers, Accept: 'application/json' },
      body: [],
      timeoutMs: listTimeoutMs,
    });
    if (answer.status !== 200) throw dashboardProblem(answer, base);
    try {
      return JSON.parse(answer.body.toString('utf8')) as unknown;
    } catch (cause) {
      const message = `${base} does not respond like a Nuclio dashboard.`;
      throw new AppError('unavailable', message, message, { cause });
    }
  }

  async function find(name: string): Promise<ProvidedFunction | null> {
    if (!/^[\w.-]+$/.test(name)) return null;
    try {
      return readFunction(await get(`/api/functions/${name}`));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not-found') return null;
      throw error;
    }
  }

  return {
    async list() {
      const all = await get('/api/functions');
      return Object.values(Object(all)).flatMap((one: unknown) => readFunction(one) ?? []);
    },
    find,
    async invoke(name, invocation) {
      if (dashboard.invoke === 'dashboard') {
        const own = { ...headers, 'x-nuclio-function-name': name, 'x-nuclio-path': invocation.path };
        const path = '/api/function_invocations';
        return invoker.send(base, { ...invocation, path, headers: { ...invocation.headers, ...own } });
      }
      return callDirectly(await find(name), name, invocation);
    },
  };

  /** Uses the port from a fresh lookup, because it changes whenever a container starts. */
  function callDirectly(
    found: ProvidedFunction | null,
    name: string,
    invocation: Invocation,
  ): Promise<InvocationAnswer> {
    if (!found) throw new AppError('not-found', `There is no function "${name}".`);
    if (found.port === null || found.port === 0) {
      const message = `The dashboard reports no port of "${name}" (its state is "${found.state}").`;
      throw new InvocationProblem('unreachable', message);
    }
    const { protocol, hostname } = new URL(base);
    return invoker.send(`${protocol}//${hostname}:${found.port}`, invocation);
  }
}

/** Null if the value is not a function object. */
function readFunction(value: unknown): ProvidedFunction | null {
  const parsed = functionSchema.safeParse(value);
  if (!parsed.success) return null;
  const { metadata, spec, status } = parsed.data;
  const texts = (map: Record<string, unknown> | null | undefined) =>
    Object.fromEntries(
      Object.entries(map ?? {}).map(([key, one]) => [key, typeof one === 'string' ? one : JSON.stringify(one ?? '')]),
    );
  return {
    name: metadata.name,
    description: spec?.description ?? '',
    annotations: texts(metadata.annotations),
    provider: 'nuclio',
    project: texts(metadata.labels)['nuclio.io/project-name'] ?? '',
    state: status?.state ?? '',
    message: status?.message ?? '',
    port: status?.httpPort ?? null,
    workers: workersOf(spec?.triggers),
    timeoutMs: defaultTimeoutMs,
  };
}

function workersOf(triggers: Record<string, unknown> | null | undefined): number {
  const [trigger] = Object.values(triggers ?? {});
  const count: unknown = Reflect.get(Object(trigger), 'numWorkers') ?? Reflect.get(Object(trigger), 'maxWorkers');
  return typeof count === 'number' && count > 0 ? count : 1;
}

/** The dashboard's answer, with its status if Limner uses that status too. */
function dashboardProblem({ status, body }: InvocationAnswer, base: string): AppError {
  const text = body.toString('utf8').slice(0, 500);
  const code: ErrorCode = status === 404 ? 'not-found' : 'unavailable';
  return new DashboardProblem(code, status, `The dashboard at ${base} answered ${status}: ${text}`);
}

export class DashboardProblem extends AppError {
  readonly status: number;

  constructor(code: ErrorCode, status: number, message: string) {
    super(code, message, message);
    this.status = status;
  }
}
