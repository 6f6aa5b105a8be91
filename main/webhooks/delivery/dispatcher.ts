import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, AttemptOutcome, AttemptRecorder } from './attempt-recorder.ts';
import type { DeliveryQueue, NextInQueue, OutboxRepository, QueuedMessage } from '../store/outbox-repository.ts';
import type { WebhookRepository, WebhookTarget } from '../store/webhook-repository.ts';
import type { Store } from '../../db/store.ts';
import type { Logger } from '../../platform/log.ts';
import type { Attempts } from './attempts.ts';
import { createGroupCommit } from './group-commit.ts';
import { createQueueTimer, queueKey } from './queue-timer.ts';
import { isDelivered } from './retry-policy.ts';
import { SenderStopped } from './sender.ts';

const storeRetryMs = 3000;
/** Running requests to receivers may end in this time. A stop has less, because it also waits for other work. */
const graceMs = { pause: 2000, stop: 500 };

/**
 * Delay between an event and its delivery, so that the causing request is answered first and close events share
 * commits.
 */
const wakeDelayMs = 25;
/** Interval between commits of a delivery queue; a crash may repeat the requests of one interval. */
const batchMs = 20;

type Sending = Extract<NextInQueue, { kind: 'send' }> & { readonly target: WebhookTarget };
type Step = Sending | Extract<NextInQueue, { kind: 'sleep' }>;

interface Sent {
  readonly message: QueuedMessage;
  readonly attempt: Attempt;
}

interface DispatcherDependencies {
  readonly outbox: Pick<OutboxRepository, 'next' | 'lanes' | 'skipAll'>;
  readonly webhooks: Pick<WebhookRepository, 'target'>;
  readonly recorder: AttemptRecorder;
  readonly attempts: Attempts;
  readonly database: Store;
  readonly nowMs: () => number;
  readonly log: Logger;
  /** Called after the commit that disabled a webhook. */
  readonly onDeactivated: () => void;
  /** Resolves when the commits are on disk. */
  readonly onDisk: () => Promise<void>;
  /** Aborts running requests. */
  readonly breakOff: () => void;
  /** Called when a delivery queue has nothing to send. */
  readonly onIdle: (webhookId: number) => void;
}

/** Launches queues together after a short delay, because a transaction may wake many of them. */
function createWaking(isStarted: () => boolean, launch: (lane: DeliveryQueue) => void) {
  const woken = new Map<string, DeliveryQueue>();

  function launchWoken(): void {
    const lanes = [...woken.values()];
    woken.clear();
    for (const lane of lanes) launch(lane);
  }

  return (lanes: readonly DeliveryQueue[]): void => {
    if (!isStarted()) return;
    if (woken.size === 0) setTimeout(launchWoken, wakeDelayMs).unref();
    for (const lane of lanes) woken.set(queueKey(lane), lane);
  };
}

const queuesOf = (webhookId: number): DeliveryQueue[] => [
  { webhookId, redelivery: 0 },
  { webhookId, redelivery: 1 },
];

/**
 * Delivers the messages of the outbox.
 *
 * Order: each webhook has two delivery queues, one for events and one for redeliveries. A queue has one running request
 * at a time, and queues never wait for each other. Events are sent in order: a delivery that waits for a retry blocks
 * later ones, so that a receiver never gets a change before an earlier one. If the receiver fails during the four short
 * retry delays (3 h 36 min), failing deliveries no longer block: later ones are tried, and the failed ones arrive late
 * with their old `webhook-id`. So an unacceptable payload or a dead receiver delays events by hours at most. A user can
 * skip a delivery or retry it at once. Redeliveries are sent in the order of their requests and do not block each
 * other.
 *
 * Crashes: messages leave the outbox in the transaction that logs their attempts. A queue with more messages commits
 * every 20 ms or 64 requests; otherwise it commits at once. So a crash repeats few requests, under the same
 * `webhook-id`, and loses none.
 */
export function createDispatcher(dependencies: DispatcherDependencies) {
  const { outbox, webhooks, recorder, attempts, database, nowMs, log, onDeactivated, onIdle, onDisk, breakOff } =
    dependencies;
  const running = new Map<string, Promise<void>>();
  const commit = createGroupCommit(database, () => running.size);
  const stale = new Set<string>();
  const ending = new AbortController();
  let state: 'idle' | 'started' | 'paused' | 'stopped' = 'idle';
  const alarm = createQueueTimer(nowMs, launch);
  const isStarted = () => state === 'started';
  const wakeQueues = createWaking(isStarted, launch);

  /** Next step of a delivery queue. Must run inside a transaction. */
  function look(lane: DeliveryQueue): Step {
    stale.delete(queueKey(lane));
    for (;;) {
      const next = outbox.next(lane, nowMs());
      if (next.kind === 'sleep') return next;
      const target = webhooks.target(lane.webhookId);
      if (target && (target.is_active === 1 || target.stage === 'draining')) return { ...next, target };
      outbox.skipAll(lane.webhookId, 'The webhook was disabled.');
    }
  }

  /** Sends messages in order until one fails, the webhook changes, or the results must be committed. */
  async function send(lane: DeliveryQueue, { messages, target }: Sending): Promise<Sent[]> {
    const sent: Sent[] = [];
    await onDisk();
    const untilMs = performance.now() + batchMs;
    for (const message of messages) {
      const attempt = await attempts.make(target, message).catch(unlessStopped);
      if (attempt === null) break;
      sent.push({ message, attempt });
      const goesOn = isDelivered(attempt.status) && !stale.has(queueKey(lane)) && isStarted();
      if (!goesOn || performance.now() > untilMs) break;
    }
    return sent;
  }

  /**
   * Retries until the store accepts the write, because a full disk must not cause repeated deliveries. Null after a
   * stop.
   */
  async function stored<Result>(lane: DeliveryQueue, write: () => Result): Promise<Result | null> {
    for (;;) {
      try {
        return await commit(write);
      } catch (error) {
        log.error('Webhook deliveries are paused until the store is writable', { webhook: lane.webhookId, error });
      }
      await sleep(storeRetryMs, undefined, { ref: false, signal: ending.signal }).catch(() => undefined);
      if (!isStarted()) return null;
    }
  }

  async function run(lane: DeliveryQueue): Promise<void> {
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

  /** A running queue checks for messages again before it ends. */
  function launch(lane: DeliveryQueue): void {
    const key = queueKey(lane);
    alarm.forget(lane);
    if (!isStarted() || running.has(key)) return;
    const ended = run(lane)
      .catch((error: unknown) => {
        log.error('Deliveries of a webhook stopped; no events are lost', { webhook: lane.webhookId, error });
        if (isStarted()) alarm.set(lane, nowMs() + storeRetryMs);
      })
      .finally(() => running.delete(key));
    running.set(key, ended);
  }

  function changed(webhookIds: readonly number[]): void {
    const lanes = webhookIds.flatMap(queuesOf);
    for (const lane of lanes) stale.add(queueKey(lane));
    wakeQueues(lanes);
  }

  function onOutcome(webhookId: number, { isGone }: AttemptOutcome): void {
    if (!isGone) return;
    changed([webhookId]);
    log.warn('A webhook was disabled: its receiver answered 410 (Gone)', { webhook: webhookId });
    onDeactivated();
  }

  return {
    /** Starts queues with waiting messages, including those of earlier runs. */
    start(): void {
      state = 'started';
      for (const lane of outbox.lanes()) launch(lane);
    },
    /** Stops sending and gives running requests a moment to end. `resume` continues with the waiting messages. */
    async pause(): Promise<void> {
      if (!isStarted()) return;
      state = 'paused';
      await Promise.race([Promise.allSettled(running.values()), sleep(graceMs.pause, undefined, { ref: false })]);
    },
    resume(): void {
      if (state !== 'paused') return;
      state = 'started';
      for (const lane of outbox.lanes()) launch(lane);
    },
    /** Reports new events for these webhooks. May be called inside a transaction; the queues read after its end. */
    wake: (webhookIds: readonly number[]): void =>
      wakeQueues(webhookIds.map((webhookId) => ({ webhookId, redelivery: 0 }))),
    /** Reports changed webhooks or messages, so that messages that were read ahead are discarded. */
    changed,
    /** Call after the commit of an attempt outside the queues. */
    onOutcome,
    /** Gives running requests a moment to end; aborted ones are sent again at the next start. */
    async stop(): Promise<void> {
      state = 'stopped';
      alarm.clear();
      ending.abort();
      const ended = Promise.allSettled(running.values());
      await Promise.race([ended, sleep(graceMs.stop, undefined, { ref: false })]);
      breakOff();
      await ended;
    },
  };
}

/** A request that the shutdown aborted is not counted as an attempt. */
function unlessStopped(error: unknown): null {
  if (error instanceof SenderStopped) return null;
  throw error;
}
