import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { AnyOperation, RawOperation } from '../../preload/contract/operation.ts';
import { operationList, rawOperationList } from '../../preload/contract/operations/index.ts';
import type { Store } from '../db/store.ts';
import { causedBy } from '../platform/causing-request.ts';
import type { WriteBarrier } from '../platform/write-barrier.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { jsonAnswer, mediaType, securityHeaders } from './responses.ts';
import { errorAnswer } from './errors.ts';
import type { Handlers, LargeBodyHandlers, RawHandlers } from './handler.ts';
import {
  operationRoute,
  rawRoute,
  type AnyHandler,
  type AnyLargeBodyHandler,
  type AnyRawHandler,
} from './operation-route.ts';
import { wantsPlainJson } from './versioning.ts';
import { openRequest, routerPatterns, type Environment, type RouteDependencies } from './route.ts';

export interface AppDependencies extends RouteDependencies {
  readonly handlers: Handlers & RawHandlers;
  readonly largeBodyHandlers: LargeBodyHandlers;
  /** True while the disk is full and new data is rejected. */
  readonly isShortOfSpace?: () => boolean;
  /** Requests that change data start once the store is ready, and are answered once the change is on disk. */
  readonly database?: Pick<Store, 'ready' | 'onDisk'>;
  /** Holds back requests that change data while a backup needs a consistent state. */
  readonly gate?: WriteBarrier;
  /** Answers every path outside `/api`: the files of the user interface. */
  readonly pages: (path: string, request: Request) => Response | Promise<Response>;
}

/**
 * The HTTP service as a function from requests to answers. It runs behind the guard of `server.ts`, which rejects
 * requests with a wrong host or origin.
 */
export function createApp(dependencies: AppDependencies): Hono<Environment> {
  const { database } = dependencies;
  const app = new Hono<Environment>();
  app.use('*', async (context, next) => {
    const requestId = randomUUID();
    context.set('requestId', requestId);
    if (takesSpace(context.req.method, context.req.path) && dependencies.isShortOfSpace?.() === true) throw noSpace();
    const leave = isChange(context.req.method, context.req.path) ? await dependencies.gate?.enter() : undefined;
    const isReading = /^(GET|HEAD)$/.test(context.req.method);
    try {
      if (!isReading) await database?.ready();
      await causedBy(requestId, next);
      if (!isReading) await database?.onDisk();
    } finally {
      leave?.();
    }
    const isNamed = wantsPlainJson(context.req.header('Accept') ?? null);
    if (isNamed && context.res.headers.get('Content-Type') === mediaType) {
      context.res.headers.set('Content-Type', 'application/json');
    }
    if (context.get('isComplete') === true) return;
    const { headers } = context.res;
    headers.set('X-Request-Id', requestId);
    for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value);
  });
  app.onError((error, context) => errorAnswer(error, context.get('requestId'), dependencies.log));

  const methods = new Map<string, Set<string>>();
  const note = (pattern: string, method: string) => {
    methods.set(pattern, (methods.get(pattern) ?? new Set()).add(method));
  };
  mountOperations(app, dependencies, note);
  for (const [pattern, known] of methods) {
    app.all(pattern, async (context) => {
      if (context.req.method === 'OPTIONS') {
        await openRequest(dependencies, context, false);
        return optionsAnswer(pattern, known);
      }
      throw methodNotAllowed(context.req.method, known);
    });
  }
  app.all('/api/*', () => {
    throw notFound();
  });
  app.get('*', (context) => dependencies.pages(context.req.path, context.req.raw));
  app.notFound(() => {
    throw notFound();
  });
  return app;
}

/** Requests about backups and moves are never held back: they start and cancel the work that the others wait for. */
const isChange = (method: string, path: string): boolean =>
  !/^(GET|HEAD|OPTIONS)$/.test(method) && !/^\/api\/limner\/(backups|storage\/(move|cancel))/.test(path);

/** While the disk is full, reading, signing in, exporting and deleting still work. */
function takesSpace(method: string, path: string): boolean {
  if (!/^(POST|PUT|PATCH)$/.test(method)) return false;
  return !/^\/api\/(auth\/|requests\/|events\b|(projects|tasks|jobs)\/\d+\/(dataset|backup)\/export)/.test(path);
}

const noSpace = () =>
  new AppError(
    'storage-full',
    "The disk of Limner's data is full. You can view and export existing data, but not change it. " +
      'Free some space and try again.',
  );

type Note = (pattern: string, method: string) => void;

function mountOperations(app: Hono<Environment>, dependencies: AppDependencies, note: Note): void {
  const mount = ({ method, path }: AnyOperation | RawOperation, answer: ReturnType<typeof operationRoute>) => {
    for (const pattern of routerPatterns(path)) {
      app.on(method, pattern, answer);
      note(pattern, method);
    }
  };
  // `Handlers` pairs each id with a handler of the operation's types, but a loop over ids cannot express that.
  for (const [id, operation] of operationList) {
    const handler = dependencies.handlers[id] as AnyHandler;
    const large = dependencies.largeBodyHandlers[id] as AnyLargeBodyHandler | undefined;
    mount(operation, operationRoute(id, operation, { handler, large }, dependencies));
  }
  for (const [id, operation] of rawOperationList) {
    mount(operation, rawRoute(operation, dependencies.handlers[id] as AnyRawHandler, dependencies));
  }
}

/** Answers OPTIONS with the methods and media types that a path accepts. */
function optionsAnswer(pattern: string, known: ReadonlySet<string>): Response {
  const answer = jsonAnswer({
    name: pattern,
    description: '',
    renders: ['application/vnd.cvat+json'],
    parses: ['application/json', 'multipart/form-data', 'application/offset+octet-stream'],
  });
  answer.headers.set('Allow', [...known, 'HEAD', 'OPTIONS'].join(', '));
  return answer;
}

const methodNotAllowed = (method: string, known: ReadonlySet<string>): AppError =>
  new AppError('method-not-allowed', `Method "${method}" not allowed.`, undefined, {
    cause: { allow: [...known].join(', ') },
  });
