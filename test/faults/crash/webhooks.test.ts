import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import type { Webhook, WebhookState } from '../../../preload/contract/schema/webhooks.ts';
import { ApiError, signIn, type TestClient } from '../../support/client.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { ok, startFaultReceiver, type FaultReceiver } from '../../support/webhook-receiver/fault-receiver.ts';
import { milliseconds, percentile, seed } from './kill-plan.ts';

const wantedEvents = Number(process.env['LIMNER_EVENTS'] ?? 200);
const kills = Number(process.env['LIMNER_KILLS'] ?? 2);

/** Delays in seconds, short enough for retries within the test. */
const retries = '[0.05,0.05,0.1,0.1,0.2,0.2,0.5,0.5]';
const faultShare = 0.02;

/** A project whose name counts its changes, and the number of stored changes. */
interface Counter {
  readonly projectId: number;
  stored: number;
  /** Sent, and not answered before the kill. */
  sent: number;
}

interface Arrival {
  readonly number: number;
  readonly messageId: string;
}

const nameOf = (number: number) => `change ${number}`;
const numberOf = (name: string) => Number(/^change (\d+)$/.exec(name)?.[1] ?? 0);

describe(`${wantedEvents} events, and the server is killed ${kills} times`, () => {
  let server: RunningServer | undefined;
  const receivers: FaultReceiver[] = [];
  const stores: Database.Database[] = [];
  afterEach(async () => {
    await server?.kill9();
    for (const store of stores) store.close();
    await server?.stop();
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });

  it('each reaches the receivers, in order, none before its change is stored', { timeout: 900_000 }, async () => {
    const random = createRandom(seed);
    server = await startServer({ env: { LIMNER_WEBHOOK_RETRIES: retries } });
    let client = await signIn(server);
    const store = new Database(join(server.dataDir, 'db', 'limner.sqlite'), { readonly: true });
    stores.push(store);
    const storedName = store.prepare('SELECT name FROM project WHERE id = ?').pluck();
    const tooEarly: string[] = [];

    const listen = async (projectId: number, isFaulty: boolean) => {
      const arrivals: Arrival[] = [];
      const receiver = await startFaultReceiver(({ payload, headers }) => {
        if (isFaulty && random() < faultShare) return pickFault(random);
        const number = numberOf((payload?.['project'] as { name: string } | undefined)?.name ?? '');
        if (numberOf(String(storedName.get(projectId))) < number) tooEarly.push(nameOf(number));
        arrivals.push({ number, messageId: headers['webhook-id'] ?? '' });
        return ok;
      });
      receivers.push(receiver);
      const json = {
        target_url: receiver.url,
        secret: 'a secret',
        type: 'project',
        project_id: projectId,
        events: ['update:project'],
      };
      const webhook = await client.good<Webhook>('POST', '/api/webhooks', { json });
      return { webhookId: webhook.id, projectId, arrivals };
    };

    const counters = await Promise.all(
      ['one', 'other'].map(async (name): Promise<Counter> => {
        const { id } = await client.good<Project>('POST', '/api/projects', { json: { name } });
        return { projectId: id, stored: 0, sent: 0 };
      }),
    );
    const [one, other] = counters.map((counter) => counter.projectId);
    const heard = [await listen(one!, false), await listen(one!, true), await listen(other!, true)];

    const total = () => counters.reduce((sum, counter) => sum + counter.stored, 0);
    const readyMs: number[] = [];
    for (let kill = 0; kill <= kills; kill += 1) {
      let isKilled = false;
      const goal = Math.ceil((wantedEvents * (kill + 1)) / (kills + 1));
      const editing = Promise.all(
        counters.map((counter) => count(client, counter, () => isKilled || (kill === kills && total() >= goal))),
      );
      if (kill === kills) {
        await editing;
        break;
      }
      const isOver = () => isKilled || total() >= goal;
      const reached = async () => {
        while (!isOver()) await sleep(2);
      };
      await Promise.race([reached(), editing]);
      await sleep(20 * random());
      isKilled = true;
      await server.kill9();
      await editing;
      server = await server.restart();
      readyMs.push(server.readyMs);
      client = client.at(server.url);
      for (const counter of counters) await settle(client, counter);
    }
    await drained(
      client,
      heard.map(({ webhookId }) => webhookId),
    );

    const repeats = heard.map(({ arrivals }) => arrivals.length - new Set(arrivals.map(({ number }) => number)).size);
    console.log(
      `${total()} events, ${kills} kills, seed ${seed}: ${heard.map(({ arrivals }) => arrivals.length).join(' + ')} ` +
        `deliveries, of them ${repeats.join(' + ')} repeats; ready again p50 ` +
        milliseconds(percentile(readyMs, 0.5) || 0),
    );
    expect(tooEarly).toEqual([]);
    for (const { arrivals, projectId } of heard) {
      const counter = counters.find((known) => known.projectId === projectId);
      const numbers = [...new Set(arrivals.map(({ number }) => number))];
      const expected = Array.from({ length: counter?.stored ?? 0 }, (_, index) => index + 1);
      // In the order of first arrival: none missing, none additional, none before an earlier one.
      expect(numbers).toEqual(expected);
      const ids = new Map<number, Set<string>>();
      for (const { number, messageId } of arrivals) {
        ids.set(number, (ids.get(number) ?? new Set()).add(messageId));
      }
      expect([...ids.values()].every((known) => known.size === 1)).toBe(true);
      expect(new Set([...ids.values()].flatMap((known) => [...known])).size).toBe(numbers.length);
    }
  });
});

const pickFault = (random: Random) =>
  random() < 0.5 ? ({ kind: 'answer', status: 503 } as const) : ({ kind: 'reset' } as const);

/** Changes the name repeatedly until `isOver`, or until the connection breaks. */
async function count(client: TestClient, counter: Counter, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    counter.sent = counter.stored + 1;
    try {
      const json = { name: nameOf(counter.sent) };
      await client.good('PATCH', `/api/projects/${counter.projectId}`, { json });
      counter.stored = counter.sent;
    } catch (error) {
      if (error instanceof ApiError || !isOver()) throw error;
      return;
    }
  }
}

/** After a restart, finds out if the unanswered change was stored. */
async function settle(client: TestClient, counter: Counter): Promise<void> {
  const { name } = await client.good<Project>('GET', `/api/projects/${counter.projectId}`);
  const stored = numberOf(name);
  expect([counter.stored, counter.sent]).toContain(stored);
  counter.stored = stored;
}

async function drained(client: TestClient, webhookIds: readonly number[]): Promise<void> {
  for (const id of webhookIds) {
    for (;;) {
      const { waiting } = await client.good<WebhookState>('GET', `/api/limner/webhooks/${id}/state`);
      if (waiting === 0) break;
      await sleep(50);
    }
  }
}
