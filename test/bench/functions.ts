import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { ModelFunction } from '../../preload/contract/schema/functions.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { tokenHeader } from './edit.ts';
import { createHttpProbe, requireGood } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, figure, inMegabytes, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';

const defaultRounds = 5;
const callsPerRound = 20;
const modelMs = 100;
const rateMs = 2000;
/** Two for each of the two workers: one call runs, one waits. */
const callers = 4;

/** A function that answers one box after a delay, in both handler languages. */
const handlers = {
  node: `exports.handler = async (context, event) => {
    const { image } = JSON.parse(event.body.toString());
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.MODEL_MS)));
    return [{ label: 'thing', type: 'rectangle', points: [1, 1, 9, 9], confidence: String(image.length > 0 ? 0.9 : 0) }];
  };`,
  python: `import json, os, time

def handler(context, event):
    image = event.body["image"]
    time.sleep(int(os.environ["MODEL_MS"]) / 1000.0)
    results = [{"label": "thing", "type": "rectangle", "points": [1, 1, 9, 9], "confidence": str(0.9 if image else 0)}]
    return context.Response(body=json.dumps(results), content_type="application/json", status_code=200)
`,
} as const;
type Language = keyof typeof handlers;

/** Containers need a Docker Engine at DOCKER_HOST or at its usual socket. */
export async function bench({ rounds, entry }: BenchOptions): Promise<void> {
  const server = await startServer({ entry });
  const client = await signIn(server);
  const made: string[] = [];
  try {
    const deployer = createDeployer(client, made);
    await benchDeploy(deployer, rounds ?? defaultRounds);
    const image = await photograph();
    await benchCalls(server, client, deployer, image, rounds ?? defaultRounds);
  } finally {
    for (const name of made) await client.call('DELETE', `/api/models/functions/${name}`);
    await server.stop();
  }
}

type Deployer = ReturnType<typeof createDeployer>;

function createDeployer(client: TestClient, made: string[]) {
  return async function deploy(name: string, language: Language, milliseconds: number): Promise<ModelFunction> {
    const configuration = JSON.stringify({
      metadata: { name, annotations: { name, type: 'detector', spec: '[{"name":"thing","type":"rectangle"}]' } },
      spec: {
        handler: 'main:handler',
        runtime: language === 'node' ? 'nodejs' : 'python:3',
        env: [{ name: 'MODEL_MS', value: String(milliseconds) }],
        triggers: { http: { kind: 'http', numWorkers: 2 } },
      },
    });
    const file = { path: language === 'node' ? 'main.js' : 'main.py', content: btoa(handlers[language]) };
    const json = { configuration, files: [file], base_image: `limner/base-${language}:latest` };
    await client.good('POST', '/api/models/functions', { json });
    made.push(name);
    for (;;) {
      const model = await client.good<ModelFunction>('GET', `/api/models/functions/${name}`);
      if (model.state === 'ready') return model;
      if (model.state !== 'building') throw new Error(model.message);
      await sleep(10);
    }
  };
}

async function benchDeploy(deploy: Deployer, rounds: number): Promise<void> {
  const rows: string[][] = [];
  for (const language of ['node', 'python'] as const) {
    const milliseconds: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const started = performance.now();
      const { node_port: port } = await deploy(`bench-${language}`, language, 0);
      const probe = createHttpProbe(`http://127.0.0.1:${port}`);
      requireGood(await probe.send('POST', '/', '{"image":"aGVsbG8="}'));
      probe.close();
      // The first round also builds the base image.
      if (round >= 0) milliseconds.push(performance.now() - started);
    }
    rows.push([
      language === 'node' ? 'Node.js' : 'Python',
      inMilliseconds(median(milliseconds)),
      inMilliseconds(Math.max(...milliseconds)),
    ]);
  }
  printTable(`From deploy to the first answer: ${rounds} deployments of a name anew`, ['', 'median', 'slowest'], rows);
  printNote('A handler on a base image that is there; the container before is removed on the way.');
}

/** An image of about 70 kB, as base64 in the body of a call. */
async function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const;
  return sharp({ create: { width: 640, height: 480, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 70 })
    .toBuffer();
}

interface Way {
  readonly name: string;
  readonly send: () => Promise<{ readonly milliseconds: number }>;
}

async function benchCalls(
  server: RunningServer,
  client: TestClient,
  deploy: Deployer,
  image: Buffer,
  rounds: number,
): Promise<void> {
  const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, [{ name: 'frame.jpg', bytes: image }]);
  const through = createHttpProbe(server.url, await tokenHeader(server), callers);
  const body = JSON.stringify({ image: image.toString('base64') });
  const onFrame = JSON.stringify({ task: task.id, frame: 0 });
  for (const milliseconds of [0, modelMs]) {
    const { name, node_port: port } = await deploy(`bench-${milliseconds}`, 'python', milliseconds);
    const direct = createHttpProbe(`http://127.0.0.1:${port}`, {}, callers);
    const ways: Way[] = [
      { name: 'straight to the container', send: async () => requireGood(await direct.send('POST', '/', body)) },
      {
        name: 'through Limner, the same body',
        send: async () => requireGood(await through.send('POST', `/api/models/functions/${name}/invoke`, body)),
      },
      {
        name: 'for a frame of a task (lambda)',
        send: async () => requireGood(await through.send('POST', `/api/lambda/functions/${name}`, onFrame)),
      },
    ];
    const title = milliseconds === 0 ? 'a model that answers at once' : `a model of ${milliseconds} ms`;
    await benchLatency(title, ways, rounds);
    await benchRate(title, ways);
    direct.close();
  }
  through.close();
  printNote(`The picture is a JPEG of ${inMegabytes(image.length)}. The task answers shapes with labels of the task.`);
}

async function benchLatency(title: string, ways: readonly Way[], rounds: number): Promise<void> {
  const measured = ways.map((way) => ({ ...way, milliseconds: [] as number[] }));
  for (let round = -1; round < rounds; round += 1) {
    for (let call = 0; call < callsPerRound; call += 1) {
      for (const way of measured) {
        const { milliseconds } = await way.send();
        if (round >= 0) way.milliseconds.push(milliseconds);
      }
    }
  }
  const base = median(measured[0]?.milliseconds ?? []);
  printTable(
    `One call at a time, ${title}: ${rounds * callsPerRound} calls each, in turn`,
    ['', 'p50', 'p99', 'added at p50', 'ratio'],
    measured.map(({ name, milliseconds }) => [
      name,
      inMilliseconds(median(milliseconds)),
      inMilliseconds(percentile(milliseconds, 0.99)),
      inMilliseconds(median(milliseconds) - base),
      asRatio(median(milliseconds), base),
    ]),
  );
}

async function benchRate(title: string, ways: readonly Way[]): Promise<void> {
  const rows: string[][] = [];
  for (const { name, send } of ways) {
    const end = performance.now() + rateMs;
    const started = performance.now();
    let calls = 0;
    const loop = async () => {
      while (performance.now() < end) {
        await send();
        calls += 1;
      }
    };
    await Promise.all(Array.from({ length: callers }, loop));
    rows.push([name, figure(calls / ((performance.now() - started) / 1000))]);
  }
  printTable(`Calls each second at two workers, ${title}: ${callers} callers`, ['', 'calls/s'], rows);
}
