import { beforeEach, describe, expect, test } from 'vitest';
import { createRetentionRepository } from '../../../main/webhooks/store/retention-repository.ts';
import { holdMs, retryDelaysMs } from '../../../main/webhooks/delivery/retry-policy.ts';
import { createOutboxWorld, date, type OutboxWorld } from './outbox-world.ts';

/** Number of events, set by `LIMNER_EVENTS`; 1,000 in `npm test`. */
const failing = Number(process.env['LIMNER_EVENTS'] ?? 1000);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.parse(date);

let world: OutboxWorld;
let database: OutboxWorld['database'];
let webhooks: OutboxWorld['webhooks'];
let outbox: OutboxWorld['outbox'];
let addWebhook: OutboxWorld['addWebhook'];
/** The default webhook. */
let webhook: number;
let nowMs: number;
beforeEach(() => {
  world = createOutboxWorld(retryDelaysMs);
  ({ database, webhooks, outbox, addWebhook } = world);
  webhook = addWebhook();
  nowMs = startMs;
});

const addMessage = (webhookId = webhook, redelivery: 0 | 1 = 0) => world.addMessage(webhookId, nowMs, redelivery);
const next = (webhookId = webhook, redelivery: 0 | 1 = 0) => outbox.next({ webhookId, redelivery }, nowMs);
const nextIds = (webhookId = webhook, redelivery: 0 | 1 = 0) => {
  const step = next(webhookId, redelivery);
  return step.kind === 'send' ? step.messages.map(({ id }) => id) : [];
};
const untilMs = () => {
  const step = next();
  return step.kind === 'sleep' ? step.untilMs : undefined;
};
const attempt = (id: number, status: number, headers: Record<string, string> = {}) => {
  const message = outbox.get(id)!;
  const ended = {
    url: 'http://a.example.org/',
    requestHeaders: {},
    status,
    response: '',
    responseHeaders: headers,
    durationMs: 1,
    endedMs: nowMs,
  };
  return database.write(() => world.recorder.record(message, ended, true));
};

describe('the order of a delivery queue', () => {
  test('is the order of the events', () => {
    const ids = [addMessage(), addMessage(), addMessage()];
    expect(nextIds()).toEqual(ids);
    attempt(ids[0]!, 200);
    expect(nextIds()).toEqual(ids.slice(1));
  });

  test('blocks later deliveries while one waits for its retry', () => {
    const [first, second] = [addMessage(), addMessage()];
    attempt(first, 500);
    expect(untilMs()).toBe(nowMs + 5000);
    nowMs += 4999;
    expect(nextIds()).toEqual([]);
    nowMs += 1;
    expect(nextIds()).toEqual([first]);
    attempt(first, 200);
    expect(nextIds()).toEqual([second]);
  });

  test('a delivery leaves the order after the short delays, and arrives late', () => {
    const [first, second] = [addMessage(), addMessage()];
    for (const delay of [0, ...retryDelaysMs.slice(0, 4)]) {
      nowMs += delay;
      expect(nextIds()[0]).toBe(first);
      attempt(first, 503);
    }
    expect(untilMs()).toBe(startMs + holdMs());
    nowMs = startMs + holdMs();
    expect(nextIds()).toEqual([second]);
    attempt(second, 200);
    expect(untilMs()).toBe(outbox.get(first)?.next_attempt_ms);
    nowMs = outbox.get(first)!.next_attempt_ms;
    const third = addMessage();
    expect(nextIds()[0]).toBe(first);
    attempt(first, 200);
    expect(nextIds()).toEqual([third]);
  });

  test('a long queue keeps its order after its receiver returns', () => {
    const ids = [addMessage(), addMessage(), addMessage()];
    nowMs += 10 * hourMs;
    attempt(ids[0]!, 200);
    attempt(ids[1]!, 503);
    expect(nextIds(), 'one that is old holds back the others, too').toEqual([]);
    nowMs += 5000;
    attempt(ids[1]!, 200);
    expect(nextIds()).toEqual([ids[2]]);
  });

  test('a receiver that is down for days delays each event once, not one after the other', () => {
    const ids = Array.from({ length: 50 }, () => addMessage());
    const tried = new Set<number>();
    const endMs = startMs + holdMs() + minuteMs;
    while (nowMs < endMs) {
      const [id] = nextIds();
      if (id === undefined) nowMs = Math.max(nowMs + 1, untilMs() ?? endMs);
      else {
        tried.add(id);
        attempt(id, 503);
      }
    }
    expect([...tried]).toEqual(ids);
    const behind = addMessage();
    // The clock does not advance, so no failing message can block it.
    for (let [id] = nextIds(); id !== behind; [id] = nextIds()) attempt(id!, 503);
    attempt(behind, 200);
    const [first, second] = [addMessage(), addMessage()];
    for (let [id] = nextIds(); id !== undefined; [id] = nextIds()) attempt(id, 503);
    expect(outbox.get(first)?.attempts, 'the receiver took something: order holds again').toBe(1);
    expect(outbox.get(second)?.attempts).toBe(0);
  });

  test('a skipped delivery blocks nothing', () => {
    const [first, second] = [addMessage(), addMessage()];
    attempt(first, 500);
    expect(outbox.skip(first, 'Skipped.')).toBe(true);
    expect(nextIds()).toEqual([second]);
    expect(outbox.skip(first, 'Again.')).toBe(false);
  });

  test('a manual retry is sent immediately', () => {
    const first = addMessage();
    attempt(first, 500);
    expect(outbox.setDue(first, nowMs)).toBe(true);
    expect(nextIds()).toEqual([first]);
  });

  test('retries that are due are sent in the order of their times', () => {
    const ids = [addMessage(), addMessage()];
    attempt(ids[0]!, 500);
    nowMs = startMs + holdMs();
    attempt(ids[1]!, 500);
    outbox.setDue(ids[1]!, nowMs - 1);
    outbox.setDue(ids[0]!, nowMs);
    expect(nextIds()).toEqual([ids[1]]);
    attempt(ids[1]!, 200);
    expect(nextIds()).toEqual([ids[0]]);
  });

  test('a delivery that left the order blocks nothing again, however often it fails', () => {
    const [first, second] = [addMessage(), addMessage()];
    attempt(first, 500);
    nowMs = startMs + holdMs();
    attempt(second, 200);
    attempt(first, 500);
    const third = addMessage();
    expect(nextIds()).toEqual([third]);
  });

  test('redeliveries and other webhooks have separate queues', () => {
    const [one, other] = [webhook, addWebhook()];
    const held = addMessage(one);
    attempt(held, 500);
    const [again, foreign] = [addMessage(one, 1), addMessage(other)];
    expect(nextIds(one)).toEqual([]);
    expect(nextIds(one, 1)).toEqual([again]);
    expect(nextIds(other)).toEqual([foreign]);
    const second = addMessage(one, 1);
    attempt(again, 500);
    expect(nextIds(one, 1), 'redeliveries do not wait for each other').toEqual([second]);
    expect(outbox.lanes()).toEqual(
      expect.arrayContaining([
        { webhookId: one, redelivery: 0 },
        { webhookId: one, redelivery: 1 },
        { webhookId: other, redelivery: 0 },
      ]),
    );
  });

  test('a long queue is read ahead in bounded parts', () => {
    const body = 'x'.repeat(300_000);
    for (let number = 0; number < 5; number += 1) world.addMessage(webhook, nowMs, 0, body);
    expect(nextIds().length).toBeLessThan(5);
  });
});

describe('a changed clock', () => {
  const monthMs = 30 * 24 * hourMs;

  test('set back makes waiting retries due immediately', () => {
    const [first, second] = [addMessage(), addMessage()];
    attempt(first, 500);
    nowMs -= monthMs;
    expect(nextIds()).toEqual([first]);
    attempt(first, 200);
    expect(nextIds()).toEqual([second]);
  });

  test('set back slightly does not cause repeated retries', () => {
    const first = addMessage();
    attempt(first, 500);
    nowMs -= 1;
    attempt(first, 500);
    expect(nextIds()).toEqual([]);
    expect(untilMs()).toBe(nowMs + retryDelaysMs[1]!);
  });

  test('set back lets a failing delivery block others for hours, not until the clock catches up', () => {
    const [first, second] = [addMessage(), addMessage()];
    attempt(first, 500);
    nowMs -= monthMs;
    const setMs = nowMs;
    for (let step = next(); ; step = next()) {
      if (step.kind === 'sleep') nowMs = step.untilMs!;
      else if (step.messages[0]?.id === second) break;
      else attempt(step.messages[0]!.id, 503);
    }
    expect(nowMs - setMs).toBeLessThanOrEqual(holdMs());
  });

  test('set forward makes a retry due early, once, and the next delay counts from then', () => {
    const first = addMessage();
    attempt(first, 500);
    nowMs += monthMs;
    expect(nextIds()).toEqual([first]);
    attempt(first, 500);
    expect(nextIds()).toEqual([]);
    expect(untilMs()).toBe(nowMs + retryDelaysMs[1]!);
  });
});

describe('the outcome of a delivery', () => {
  test(`${failing} that fail for days are tried nine times each, at the times of the schedule`, () => {
    const ids = database.write(() => Array.from({ length: failing }, () => addMessage()));
    const expected = retryDelaysMs.reduce<number[]>((times, delay) => [...times, times.at(-1)! + delay], [0]);
    database.write(() => {
      for (const at of expected) {
        nowMs = startMs + at;
        for (const id of ids) attempt(id, 503);
      }
    });
    const rows = database
      .query(
        `SELECT attempt, count(*) AS count, min(updated_date) AS first, max(updated_date) AS last
         FROM webhook_delivery GROUP BY attempt ORDER BY attempt`,
      )
      .all() as { attempt: number; count: number; first: string; last: string }[];
    expect(rows.map(({ attempt: number, count }) => [number, count])).toEqual(
      expected.map((_, index) => [index + 1, failing]),
    );
    expect(rows.map(({ first }) => Date.parse(first) - startMs)).toEqual(expected);
    expect(outbox.counts(webhook)).toEqual({ waiting: 0, delivered: 0, failed: failing, skipped: 0 });
  });

  test('410 switches the webhook off, says so, and skips waiting deliveries', () => {
    const [first, second] = [addMessage(), addMessage()];
    expect(attempt(first, 410)).toMatchObject({ state: 'failed', isGone: true });
    expect(webhooks.get(webhook)).toMatchObject({
      is_active: 0,
      deactivation_reason: expect.stringMatching(/410.*2026-11-20T09:30/),
    });
    expect(outbox.get(second)).toMatchObject({ state: 'skipped', reason: expect.stringMatching(/410/) });
    expect(webhooks.subscriptions()).toEqual([]);
  });

  test('a message that was skipped during its delivery keeps its row, and is delivered if it succeeded', () => {
    const [first, second] = [addMessage(), addMessage()];
    outbox.skipAll(webhook, 'Switched off.');
    expect(attempt(first, 200).deliveryId).not.toBeNull();
    expect(attempt(second, 500).deliveryId).not.toBeNull();
    expect(outbox.get(first)?.state).toBe('delivered');
    expect(outbox.get(second)?.state).toBe('skipped');
  });

  test('failed deliveries can be found and sent again, once', () => {
    const [failed, skipped, fine] = [addMessage(), addMessage(), addMessage()];
    attempt(failed, 404);
    outbox.skip(skipped, 'Skipped.');
    attempt(fine, 200);
    const found = () => outbox.undelivered(webhook, outbox.newestId(webhook), 100).map(({ id }) => id);
    expect(found()).toEqual([failed, skipped]);
    outbox.supersede(failed);
    expect(found()).toEqual([skipped]);
  });
});

describe('removed rows', () => {
  const retention = () => createRetentionRepository(database);

  test('are all of a deleted webhook, in batches', () => {
    const [gone, kept] = [webhook, addWebhook()];
    for (let number = 0; number < 5; number += 1) attempt(addMessage(gone), 200);
    const stays = addMessage(kept);
    webhooks.discard(gone);
    let rounds = 0;
    while (retention().removeDiscarded(2)) rounds += 1;
    expect(rounds).toBe(3);
    expect(webhooks.target(gone)).toBeUndefined();
    expect(outbox.get(stays)).toBeDefined();
    for (const table of ['webhook_message', 'webhook_payload']) {
      expect(database.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 1 });
    }
    expect(database.query('SELECT count(*) AS n FROM webhook_delivery').get()).toEqual({ n: 0 });
    expect(database.query('SELECT count(*) AS n FROM webhook').get()).toEqual({ n: 1 });
  });

  test('are old completed messages, never waiting ones', () => {
    const [ended, waiting] = [addMessage(), addMessage()];
    attempt(ended, 200);
    nowMs += 100 * 24 * hourMs;
    const fresh = addMessage();
    attempt(fresh, 200);
    while (retention().removeOld(nowMs - 90 * 24 * hourMs, 100));
    expect([ended, waiting, fresh].map((id) => outbox.get(id)?.state)).toEqual([undefined, 'waiting', 'delivered']);
  });

  test("are those of a deleted project's webhook, after its queue is empty", () => {
    const last = addMessage();
    database.exec('DELETE FROM organization WHERE id = 1');
    expect(webhooks.get(webhook)).toBeUndefined();
    expect(retention().discardDrained()).toBe(false);
    expect(webhooks.target(webhook)?.stage).toBe('draining');
    attempt(last, 200);
    expect(retention().discardDrained()).toBe(true);
    expect(webhooks.target(webhook)).toBeUndefined();
  });
});
