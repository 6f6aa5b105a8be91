import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, AttemptOutcome, AttemptRecorder } from './attempt-recorder.ts';
import type { Lane, NextInLane, OutboxRepository, QueuedMessage } from '../store/outbox-repository.ts';
import type { WebhookRepository, WebhookTarget } from '../store/webhook-repository.ts';
import type { Database } from '../../db/open.ts';
import type { Logger } from '../../platform/log.ts';
import type { Attempts } from './attempts.ts';
import { createGroupCommit } from './group-commit.ts';
import { createLaneAlarm, laneKey } from './lane-alarm.ts';
import { isDelivered } from './retry-policy.ts';
import { SenderStopped } from './sender.ts';

/** After the store failed. */
const storeRetryMs = 3000;
const graceMs = 2000;

/**
 * From an event to its delivery: the request that caused it is answered first, and events that follow each other closely
 * share their commits.
 */
const wakeDelayMs = 25;
/** How long a lane sends before it stores what became of it, and how much of that a crash may repeat. */
const batchMs = 20;

type Sending = Extract<NextInLane, { kind: 'send' }> & { readonly target: WebhookTarget };
type Step = Sending | Extract<NextInLane, { kind: 'sleep' }>;

interface Sent {
  readonly message: QueuedMessage;
  readonly attempt: Attempt;
}

interface DispatcherDependencies {
  readonly outbox: Pick<OutboxRepository, 'next' | 'lanes' | 'skipAll'>;
  readonly webhooks: Pick<WebhookRepository, 'target'>;
  readonly recorder: AttemptRecorder;
  readonly attempts: Attempts;
  readonly database: Database;
  readonly nowMs: () => number;
  readonly log: Logger;
  /** After the commit. */
  readonly onOutcome: (webhookId: number, outcome: AttemptOutcome) => void;
  /** Ends when what was committed is on the disk. */
  readonly onDisk: () => Promise<void>;
  /** Ends requests under way. */
  readonly breakOff: () => void;
  /** A lane has nothing to send now. */
  readonly onIdle: (webhookId: number) => void;
}

/**
 * Delivers what the outbox holds.
 *
 * Order. Each webhook has two lanes, one for events and one for redeliveries; a lane has one request under way at a
 * time, and lanes never wait for each other. In the lane of events everything is sent in the order in which it happened:
 * a delivery that failed and waits for its retry holds back those behind it, so that a receiver never hears of a change
 * before an earlier one. When the receiver has taken nothing over the four short delays of the schedule (3 h 36 min),
 * failing deliveries step aside: those behind them are tried, and they come late, with their old `webhook-id`. So one
 * payload that a receiver cannot take, or a receiver that is gone for days, delays news by hours at most. A person may
 * skip a delivery, or let it be tried at once. Redeliveries go in the order in which they were asked for and never wait
 * for each other's retries.
 *
 * Crashes. Messages are taken off the outbox in the transaction that logs their attempts. A lane that has more to send
 * commits every 20 ms or 64 requests, whichever comes first, one that has not commits at once. So a crash repeats some
 * requests at most, under the same `webhook-id`, and loses none.
 */
export function createDispatcher(dependencies: DispatcherDependencies) {
  const { outbox, webhooks, recorder, attempts, database, nowMs, log, onOutcome, onIdle, onDisk, breakOff } =
    dependencies;
  const running = new Map<string, Promise<void>>();
  const commit = createGroupCommit(database, () => running.size);
  const woken = new Map<string, Lane>();
  const stale = new Set<string>();
  const ending = new AbortController();
  let state: 'idle' | 'started' | 'paused' | 'stopped' = 'idle';
  const alarm = createLaneAlarm(nowMs, launch);
  const isStarted = () => state === 'started';

  /** What a lane does next. Inside a transaction. */
  function look(lane: Lane): Step {
    stale.delete(laneKey(lane));
    for (;;) {
      const next = outbox.next(lane, nowMs());
      if (next.kind === 'sleep') return next;
      const target = webhooks.target(lane.webhookId);
      if (target && (target.is_active === 1 || target.stage === 'draining')) return { ...next, target };
      outbox.skipAll(lane.webhookId, 'The webhook was switched off.');
    }
  }

  /** Sends one after the other, until one fails, something changes or it is time to store what was sent. */
  async function send(lane: Lane, { messages, target }: Sending): Promise<Sent[]> {
    const sent: Sent[] = [];
    await onDisk();
    const untilMs = performance.now() + batchMs;
    for (const message of messages) {
      const attempt = await attempts.make(target, message).catch(unlessStopped);
      if (attempt === null) break;
      sent.push({ message, attempt });
      const goesOn = isDelivered(attempt.status) && !stale.has(laneKey(lane)) && isStarted();
      if (!goesOn || performance.now() > untilMs) break;
    }
    return sent;
  }

  /** Tries until the store takes it: what was sent must not be sent again because a disk is full. Null at the end. */
  async function stored<Result>(lane: Lane, write: () => Result): Promise<Result | null> {
    for (;;) {
      try {
        return await commit(write);
      } catch (error) {
        log.error('Deliveries of a webhook pause until the store can be written', { webhook: lane.webhookId, error });
      }
      await sleep(storeRetryMs, undefined, { ref: false, signal: ending.signal }).catch(() => undefined);
      if (!isStarted()) return null;
    }
  }

  async function run(lane: Lane): Promise<void> {
    let next = await stored(lane, () => look(lane));
    while (isStarted() && next?.kind === 'send') {
      const sent = await send(lane, next);
      const ended = await stored(lane, () => ({
        outcomes: sent.map(({ message, attempt }) => recorder.record(message, attempt, true)),
        next: look(lane),
      }));
      for (const outcome of ended?.outcomes ?? []) onOutcome(lane.webhookId, outcome);
      next = ended?.next ?? null;
    }
    if (!isStarted() || next?.kind !== 'sleep') return;
    onIdle(lane.webhookId);
    if (next.untilMs !== null) alarm.set(lane, next.untilMs);
  }

  /** A lane that runs already looks again before it ends. */
  function launch(lane: Lane): void {
    const key = laneKey(lane);
    alarm.forget(lane);
    if (!isStarted() || running.has(key)) return;
    const ended = run(lane)
      .catch((error: unknown) => {
        log.error('Deliveries of a webhook stopped, nothing is lost', { webhook: lane.webhookId, error });
        if (isStarted()) alarm.set(lane, nowMs() + storeRetryMs);
      })
      .finally(() => running.delete(key));
    running.set(key, ended);
  }

  function wakeLanes(lanes: readonly Lane[]): void {
    if (!isStarted()) return;
    if (woken.size === 0) setTimeout(launchWoken, wakeDelayMs).unref();
    for (const lane of lanes) woken.set(laneKey(lane), lane);
  }

  function launchWoken(): void {
    const lanes = [...woken.values()];
    woken.clear();
    for (const lane of lanes) launch(lane);
  }

  return {
    /** Takes up what waits, from earlier runs too. */
    start(): void {
      state = 'started';
      for (const lane of outbox.lanes()) launch(lane);
    },
    /** Nothing is sent from now on; what is under way gets a moment to end. What waits is taken up by `resume`. */
    async pause(): Promise<void> {
      if (!isStarted()) return;
      state = 'paused';
      await Promise.race([Promise.allSettled(running.values()), sleep(graceMs, undefined, { ref: false })]);
    },
    resume(): void {
      if (state !== 'paused') return;
      state = 'started';
      for (const lane of outbox.lanes()) launch(lane);
    },
    /** There are new events for these webhooks. May be called inside a transaction: they look after it. */
    wake: (webhookIds: readonly number[]): void =>
      wakeLanes(webhookIds.map((webhookId) => ({ webhookId, redelivery: 0 }))),
    /** These webhooks or what waits for them are not as they were: nothing that was read ahead is sent. */
    changed(webhookIds: readonly number[]): void {
      const lanes = webhookIds.flatMap((webhookId) => [
        { webhookId, redelivery: 0 as const },
        { webhookId, redelivery: 1 as const },
      ]);
      for (const lane of lanes) stale.add(laneKey(lane));
      wakeLanes(lanes);
    },
    /** Requests under way get a moment to end; those that are broken off are sent again at the next start. */
    async stop(): Promise<void> {
      state = 'stopped';
      alarm.clear();
      ending.abort();
      const ended = Promise.allSettled(running.values());
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
      breakOff();
      await ended;
    },
  };
}

/** A request that was broken off by the end of the program was never made. */
function unlessStopped(error: unknown): null {
  if (error instanceof SenderStopped) return null;
  throw error;
}
