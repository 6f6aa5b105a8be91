import { createServer, type Server } from 'node:http';
import type { Service } from './service.ts';

type Body = Readonly<Record<string, unknown>>;

export interface EndpointModel {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly run: (body: Body) => unknown;
}

export interface ModelEndpoints {
  /** Bodies of the calls so far, by model name, without their images. */
  readonly calls: ReadonlyMap<string, readonly Body[]>;
  close(): Promise<void>;
}

/** An HTTP server with one model function per path, each registered at the service. */
export async function startModelEndpoints(
  service: Pick<Service, 'ask'>,
  models: readonly EndpointModel[],
): Promise<ModelEndpoints> {
  const calls = new Map<string, Body[]>(models.map(({ name }) => [name, []]));
  const server: Server = createServer((request, response) => {
    const model = models.find(({ name }) => request.url === `/${name}`);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(chunks).catch(() => response.writeHead(500).end('"The model failed."')));
    const answer = async (parts: Buffer[]): Promise<void> => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Body;
      const { image: _image, ...fields } = body;
      calls.get(model?.name ?? '')?.push(fields);
      const result: unknown = await model?.run(body);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  for (const { name, annotations } of models) {
    await service.ask('POST', '/api/models/endpoints', {
      configuration: JSON.stringify({
        metadata: { name, annotations },
        spec: { description: '', handler: 'main:handler', runtime: 'python' },
      }),
      url: `http://127.0.0.1:${port}/${name}`,
    });
  }
  return {
    calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
