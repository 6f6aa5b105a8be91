import { createServer, type IncomingMessage } from 'node:http';

type FakeFunction = (payload: Readonly<Record<string, unknown>>) => unknown;

export interface FakeDefinition {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly description?: string;
  /** Status 500 is returned for a function in this state, for example while it is built or after it failed. */
  readonly state?: string;
  readonly workers?: number;
  readonly run?: FakeFunction;
}

type Answer = { status: number; body: string } | 'reset' | null;
type Override = ((name: string) => Answer | Promise<Answer>) | null;

export async function startFakeDashboard(definitions: readonly FakeDefinition[]) {
  const calls: { name: string; payload: Record<string, unknown>; headers: IncomingMessage['headers'] }[] = [];
  let shown: readonly string[] | null = null;
  let override: Override = null;
  const visible = () => definitions.filter(({ name }) => shown === null || shown.includes(name));

  const server = createServer((request, response) => {
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const path = request.url ?? '';
    if (request.method === 'GET' && path === '/api/functions') {
      json(
        200,
        Object.fromEntries(
          visible()
            .filter(({ state }) => state === undefined)
            .map((one) => [one.name, objectOf(one)]),
        ),
      );
      return;
    }
    if (request.method === 'GET' && path.startsWith('/api/functions/')) {
      const found = visible().find(({ name }) => name === decodeURIComponent(path.slice('/api/functions/'.length)));
      if (!found) json(404, { error: 'Function not found' });
      else if (found.state !== undefined) json(500, { error: `Function is ${found.state}` });
      else json(200, objectOf(found));
      return;
    }
    if (path !== '/api/function_invocations') {
      json(404, { error: 'Not found' });
      return;
    }
    void readJson(request).then(async (payload) => {
      const name = String(request.headers['x-nuclio-function-name']);
      calls.push({ name, payload, headers: request.headers });
      const given = (await override?.(name)) ?? null;
      if (given === 'reset') {
        request.socket.destroy();
        return;
      }
      if (given) {
        response.writeHead(given.status, { 'Content-Type': 'application/json' });
        response.end(given.body);
        return;
      }
      const found = definitions.find((one) => one.name === name);
      json(200, found?.run?.(payload) ?? []);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    calls,
    only: (names: readonly string[] | null) => void (shown = names),
    answerWith: (answer: Override) => void (override = answer),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function objectOf({ name, annotations, description = '', workers = 1 }: FakeDefinition) {
  return {
    metadata: { name, namespace: 'nuclio', labels: { 'nuclio.io/project-name': 'cvat' }, annotations },
    spec: { description, triggers: { http: { kind: 'http', maxWorkers: workers } } },
    status: { state: 'ready', httpPort: 1 },
  };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
}
