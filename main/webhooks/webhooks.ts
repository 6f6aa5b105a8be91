import { join } from 'node:path';
import type { Store } from '../db/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import { createSecrets, type SafeStorage } from '../platform/secrets.ts';
import type { WriteLockState } from '../platform/write-lock.ts';
import type { DeliveryTimeouts } from './delivery/delivery-failure.ts';
import type { ResolveHost } from '../platform/network/guarded-connector.ts';
import { retryDelaysMs } from './delivery/retry-policy.ts';
import { createTestReceivers } from './delivery/test-receivers.ts';
import { createWebhookDelivery } from './delivery/webhook-delivery.ts';
import { createEventRecorder } from './events/event-recorder.ts';
import { createSubscriptions } from './events/subscriptions.ts';
import type { ProjectRepository } from '../work/tables/project-repository.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { WorkAccess } from '../work/work-access.ts';
import { createAttemptRecorder } from './delivery/attempt-recorder.ts';
import { createDeliveryRepository } from './store/delivery-repository.ts';
import { createDeliveryService } from './manager/delivery-service.ts';
import { createOutboxRepository } from './store/outbox-repository.ts';
import { createQueueService } from './manager/queue-service.ts';
import { createWebhookSettings } from './store/setting-repository.ts';
import { sealAddresses } from './store/target-address-repository.ts';
import { createWebhookAccess } from './manager/webhook-access.ts';
import { createWebhookRepository } from './store/webhook-repository.ts';
import { createWebhookService } from './manager/webhook-service.ts';

/** Overrides for tests and embedders. */
export interface WebhookOptions {
  readonly userAgent?: string;
  /** Address of the service, for links in payloads of background events. */
  readonly baseUrl?: () => string;
  readonly retryDelaysMs?: readonly number[];
  /** Milliseconds since 1970, like `Date.now`. */
  readonly nowMs?: () => number;
  readonly timeouts?: DeliveryTimeouts;
  readonly resolveHost?: ResolveHost;
  /** Write lock of this process, which the delivery log shares. */
  readonly turns?: WriteLockState;
}

export function createWebhooks({
  database,
  databaseFile,
  dataDirectory,
  projects,
  users,
  access,
  clock,
  log,
  keychain,
  options = {},
}: {
  readonly database: Store;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly projects: ProjectRepository;
  readonly users: UserRepository;
  readonly access: WorkAccess;
  readonly clock: Clock;
  readonly log: Logger;
  readonly keychain?: SafeStorage;
  readonly options?: WebhookOptions;
}) {
  const delaysMs = options.retryDelaysMs ?? retryDelaysMs;
  const secrets = createSecrets(join(dataDirectory, 'keys', 'secrets.key'), keychain);
  const nowMs = options.nowMs ?? Date.now;
  sealAddresses(database, secrets);
  const webhooks = createWebhookRepository(database);
  const outbox = createOutboxRepository(database);
  const deliveries = createDeliveryRepository(database);
  const subscriptions = createSubscriptions(webhooks);
  const settings = createWebhookSettings(database);
  const webhookAccess = createWebhookAccess({ webhooks, access });
  const delivery = createWebhookDelivery({
    databaseFile,
    userAgent: options.userAgent ?? 'Limner',
    turns: options.turns,
    timeouts: options.timeouts,
    resolveHost: options.resolveHost,
    settings: settings.get,
    secrets,
    delaysMs,
    nowMs,
    log,
    onDisk: () => database.onDisk(),
    onDeactivated: subscriptions.invalidate,
  });
  const receivers = createTestReceivers({
    // Access is checked, because a signature check could be used to test secrets.
    secretOf: (caller, id) => (webhookAccess.mayChange(caller, id) ? delivery.secretOf(id) : undefined),
    clock,
  });
  return {
    events: createEventRecorder({ database, subscriptions, outbox, users, nowMs, onRecorded: delivery.wake }),
    resource: createWebhookService({
      database,
      webhooks,
      outbox,
      projects,
      access,
      webhookAccess,
      subscriptions,
      settings,
      secrets,
      clock,
      nowMs,
      listener: { changed: delivery.changed, sweep: delivery.sweep, settingsChanged: delivery.resetConnections },
    }),
    deliveries: createDeliveryService({
      database,
      outbox,
      deliveries,
      webhookAccess,
      users,
      nowMs,
      recorder: createAttemptRecorder({ webhooks, outbox, deliveries, delaysMs }),
      attempt: delivery.attempt,
      onOutcome: delivery.onOutcome,
    }),
    queue: createQueueService({
      database,
      webhooks,
      outbox,
      deliveries,
      webhookAccess,
      nowMs,
      changed: delivery.changed,
    }),
    receivers,
    /** Addresses that users of this workbench may make it call. */
    addressSettings: delivery.addressSettings,
    /** Continues the deliveries of earlier runs. */
    start: delivery.start,
    housekeep: delivery.sweep,
    pause: delivery.pause,
    resume: delivery.resume,
    async stop(): Promise<void> {
      await delivery.stop();
      await receivers.stopAll();
    },
  };
}
