import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'undici';
import { exchange } from '../../main/webhooks/delivery/exchange.ts';
import { signatureHeaders } from '../../main/webhooks/delivery/signature.ts';
import { createCoreHarness } from '../db/work/core-harness.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { tokenHeader } from './edit.ts';
import { createHttpProbe, requireGood } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, figure, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';

const secret = 'a secret of the bench';
const defaultRounds = 5;
const deliveriesPerRound = 10_000;
const requestsPerRound = 100;
const manyWebhooks = 8;

interface Rate {
  readonly perSecond: number;
  /** CPU time of the sending process per delivery. */
  readonly cpuMicroseconds: number;
}

interface Receiver {
  readonly url: string;
  readonly reset: () => void;
  /** Resolves when this many requests have arrived since the reset. Throws if a signature was invalid. */
  readonly counted: (count: number) => Promise<void>;
  readonly stop: () => void;
}

/** Costs of webhooks: deliveries per second, and the time that an event adds to the request which caused it. */
export async function bench({ rounds, entry }: BenchOptions): Promise<void> {
  const receiver = await startReceiver();
  try {
    await benchRate(receiver, rounds ?? defaultRounds);
    await benchCause(receiver, rounds ?? defaultRounds, entry);
  } finally {
    receiver.stop();
  }
}

async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(new URL('./support/counting-receiver.ts', import.meta.url), [secret]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/`,
    reset: () => void child.send({ reset: true }),
    async counted(count) {
      child.send({ wait: count });
      const [{ bad }] = (await once(child, 'message')) as [{ bad: number }];
      if (bad > 0) throw new Error(`${bad} requests had a wrong signature.`);
    },
    stop: () => void child.kill(),
  };
}

/** Deliveries per second of one webhook, and of eight. Compares with loops that only sign and send. */
async function benchRate(receiver: Receiver, rounds: number): Promise<void> {
  const bare: Rate[] = [];
  const limner: Rate[] = [];
  const bareMany: Rate[] = [];
  const limnerMany: Rate[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const rates = [
      await bareRate(receiver, 1),
      await limnerRate(receiver, 1),
      await bareRate(receiver, manyWebhooks),
      await limnerRate(receiver, manyWebhooks),
    ] as const;
    if (round < 0) continue;
    bare.push(rates[0]);
    limner.push(rates[1]);
    bareMany.push(rates[2]);
    limnerMany.push(rates[3]);
  }
  const middle = (values: readonly Rate[], key: keyof Rate) => median(values.map((value) => value[key]));
  const row = (name: string, values: readonly Rate[], anchor: readonly Rate[]) => [
    name,
    figure(middle(values, 'perSecond')),
    asRatio(middle(values, 'perSecond'), middle(anchor, 'perSecond')),
    `${figure(middle(values, 'cpuMicroseconds'))} µs`,
    asRatio(middle(anchor, 'cpuMicroseconds'), middle(values, 'cpuMicroseconds')),
  ];
  printTable(
    `Deliveries to a receiver on loopback: ${deliveriesPerRound.toLocaleString('en-US')} in each of ${rounds} rounds`,
    ['', 'each second', 'ratio', 'CPU of each', 'ratio'],
    [
      row('anchor: sign and send, one after the other', bare, bare),
      row('one webhook: in order, logged, durable', limner, bare),
      row(`anchor: ${manyWebhooks} loops that sign and send`, bareMany, bareMany),
      row(`${manyWebhooks} webhooks at once`, limnerMany, bareMany),
    ],
  );
  printNote('Same client, same payload, both signatures; the receiver is another process and checks each of them.');
}

async function measured(work: () => Promise<unknown>): Promise<Rate> {
  const started = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: deliveriesPerRound / ((performance.now() - started) / 1000),
    cpuMicroseconds: (user + system) / deliveriesPerRound,
  };
}

const payload = Buffer.from(JSON.stringify({ event: 'update:project', project: { name: 'x'.repeat(1000) } }));

async function bareRate(receiver: Receiver, loops: number): Promise<Rate> {
  const agent = new Agent();
  const { origin } = new URL(receiver.url);
  const each = deliveriesPerRound / loops;
  const loop = async () => {
    for (let number = 0; number < each; number += 1) {
      const headers = {
        'Content-Type': 'application/json',
        ...signatureHeaders([secret], `msg_${number}`, Date.now(), payload),
      };
      await exchange(agent, { origin, path: '/', method: 'POST', headers, body: payload }, 1024 * 1024);
    }
  };
  receiver.reset();
  const rate = await measured(() => Promise.all(Array.from({ length: loops }, loop)));
  await agent.close();
  return rate;
}

/** Fills the outbox with changes of projects, then starts the dispatcher and waits for the last delivery. */
async function limnerRate(receiver: Receiver, webhooks: number): Promise<Rate> {
  const harness = createCoreHarness();
  try {
    const { core, admin } = harness;
    const create = (number: number) => {
      const project = core.projects.create(admin, { name: `project ${number}`, labels: [], bug_tracker: '' });
      core.webhooks.resource.create(admin, {
        target_url: receiver.url,
        description: '',
        type: 'project',
        content_type: 'application/json',
        secret,
        is_active: true,
        enable_ssl: true,
        events: ['update:project'],
        project_id: project.id,
      });
      return project.id;
    };
    const projects = Array.from({ length: webhooks }, (_, number) => create(number));
    const fill = () => {
      for (let number = 0; number < deliveriesPerRound; number += 1) {
        core.projects.update(admin, projects[number % webhooks] ?? 0, { name: `${number} ${'x'.repeat(200)}` });
      }
    };
    // One transaction, because the time to fill the queue is not measured here.
    harness.database.write(fill);
    receiver.reset();
    return await measured(() => {
      core.webhooks.start();
      return receiver.counted(deliveriesPerRound);
    });
  } finally {
    await harness.dispose();
  }
}

interface Situation {
  readonly name: string;
  readonly isActive: boolean;
  readonly events: readonly string[];
  readonly milliseconds: number[];
}

/** Changes a job's state through the API, with and without a subscribed webhook. */
async function benchCause(receiver: Receiver, rounds: number, entry: BenchOptions['entry']): Promise<void> {
  await using server = await startServer({ entry });
  const client = await signIn(server);
  const { jobId, webhookId } = await prepare(client, receiver.url);
  const probe = createHttpProbe(server.url, await tokenHeader(server));
  const situation = (name: string, isActive: boolean, ...events: string[]): Situation => ({
    name,
    isActive,
    events,
    milliseconds: [],
  });
  const situations = [
    situation('no active webhook', false, 'update:job'),
    situation('a webhook that waits for something else', true, 'delete:project'),
    situation('a webhook that waits for it', true, 'update:job'),
    situation('a webhook that waits for everything', true, 'update:job', 'update:task', 'update:project'),
  ];
  let isDone = false;
  for (let round = -1; round < rounds; round += 1) {
    for (const { isActive, events, milliseconds } of situations) {
      await client.good('PATCH', `/api/webhooks/${webhookId}`, { json: { is_active: isActive, events } });
      for (let number = 0; number < requestsPerRound; number += 1) {
        isDone = !isDone;
        const body = JSON.stringify({ state: isDone ? 'completed' : 'new' });
        const { milliseconds: duration } = requireGood(await probe.send('PATCH', `/api/jobs/${jobId}`, body));
        if (round >= 0) milliseconds.push(duration);
      }
    }
  }
  probe.close();
  print(situations);
}

function print(situations: readonly Situation[]): void {
  const base = median(situations[0]?.milliseconds ?? []);
  printTable(
    `PATCH of a job's state: ${situations[0]?.milliseconds.length ?? 0} requests each, one at a time`,
    ['', 'p50', 'p99', 'added at p50'],
    situations.map(({ name, milliseconds }) => [
      name,
      inMilliseconds(median(milliseconds)),
      inMilliseconds(percentile(milliseconds, 0.99)),
      inMilliseconds(median(milliseconds) - base),
    ]),
  );
  printNote('The deliveries themselves are made by the same process, between the requests.');
}

async function prepare(client: TestClient, targetUrl: string): Promise<{ jobId: number; webhookId: number }> {
  const project = await client.createProject('a project', [{ name: 'thing' }]);
  const task = await client.taskWithImages({ project_id: project.id }, await makeImages(4));
  const [job] = await client.jobs(task.id);
  const json = { target_url: targetUrl, secret, type: 'project', project_id: project.id, events: ['update:job'] };
  const webhook = await client.good<{ id: number }>('POST', '/api/webhooks', { json });
  return { jobId: job?.id ?? 0, webhookId: webhook.id };
}
