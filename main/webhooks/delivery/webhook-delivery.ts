import type { WebhookSettings } from '../../../preload/contract/schema/webhooks.ts';
import { createAttemptRecorder } from './attempt-recorder.ts';
import { createDeliveryRepository } from '../store/delivery-repository.ts';
import { createOutboxRepository } from '../store/outbox-repository.ts';
import { createRetentionRepository } from '../store/retention-repository.ts';
import { createWebhookRepository } from '../store/webhook-repository.ts';
import { Store } from '../../db/store.ts';
import type { Logger } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { WriteLockState } from '../../platform/write-lock.ts';
import type { AddressSettings } from '../../platform/network/address-policy.ts';
import { createAttempts } from './attempts.ts';
import type { DeliveryTimeouts } from './delivery-failure.ts';
import { createDispatcher } from './dispatcher.ts';
import type { ResolveHost } from '../../platform/network/guarded-connector.ts';
import { createSender } from './sender.ts';
import { createSweeper } from './sweeper.ts';

/** Another program may lock the store. The short timeout returns soon and the dispatcher retries later. */
const busyMs = 100;

/**
 * The delivery part. Its own connection does not sync commits: the attempt log survives a crash of the process, but
 * a power cut may lose its last rows, whose deliveries are then repeated. Events are written by other connections and
 * survive both. Syncing each attempt would halve the rate.
 */
export function createWebhookDelivery(options: {
  readonly databaseFile: string;
  readonly settings: () => WebhookSettings;
  readonly secrets: SecretBox;
  readonly userAgent: string;
  readonly delaysMs: readonly number[];
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly turns: WriteLockState | undefined;
  readonly timeouts: DeliveryTimeouts | undefined;
  readonly resolveHost: ResolveHost | undefined;
  /** Resolves when all commits are on disk; only then are deliveries sent. */
  readonly onDisk: () => Promise<void>;
  readonly onDeactivated: () => void;
}) {
  const { secrets, userAgent, delaysMs, nowMs, log, timeouts, resolveHost, onDisk, onDeactivated } = options;
  const database = new Store(options.databaseFile, {
    cacheMiB: 8,
    turns: options.turns,
    checkpointed: true,
    sync: 'checkpoint',
    busyMs,
  });
  const webhooks = createWebhookRepository(database);
  const outbox = createOutboxRepository(database);
  const deliveries = createDeliveryRepository(database);
  const recorder = createAttemptRecorder({ webhooks, outbox, deliveries, delaysMs });
  const sweeper = createSweeper({ retention: createRetentionRepository(database), nowMs, log });
  const addressSettings = (): AddressSettings => {
    const { allow_loopback: allowLoopback, allow_private_networks: allowPrivateNetworks } = options.settings();
    return { allowLoopback, allowPrivateNetworks };
  };
  const sender = createSender({ timeouts, resolveHost, settings: addressSettings });
  const attempts = createAttempts({ sender, secrets, userAgent, nowMs });

  const dispatcher = createDispatcher({
    outbox,
    webhooks,
    recorder,
    attempts,
    database,
    nowMs,
    log,
    onDisk,
    onDeactivated,
    breakOff: sender.stop,
    onIdle(webhookId) {
      if (webhooks.target(webhookId)?.stage === 'draining') sweeper.sweep();
    },
  });

  return {
    attempt: attempts.make,
    addressSettings,
    onOutcome: dispatcher.onOutcome,
    wake: dispatcher.wake,
    changed: dispatcher.changed,
    sweep: sweeper.sweep,
    resetConnections: sender.reset,
    pause: dispatcher.pause,
    resume: dispatcher.resume,
    /** Plain secret of a webhook; undefined for an unknown one. */
    secretOf(webhookId: number): string | undefined {
      const target = webhooks.target(webhookId);
      return target && attempts.secretOf(target);
    },
    start(): void {
      dispatcher.start();
      sweeper.sweep();
    },
    async stop(): Promise<void> {
      await dispatcher.stop();
      await sweeper.stop();
      await sender.close();
      database.close();
    },
  };
}
